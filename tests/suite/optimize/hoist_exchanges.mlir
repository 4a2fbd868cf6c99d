// test: optimize pass=hoist-gathers
// What a loop sends of values that it does not change is sent once, before it: permutes as well as gathers.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %start, %x = %a, %own = %w) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %other = "stablehlo.collective_permute"(%own) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %dot = stablehlo.dot_general %x, %other, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %next, %dot, %own : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg1) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
//     cond {
//       %c_2 = stablehlo.constant dense<3> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %c_2 = stablehlo.constant dense<1> : tensor<i32>
//       %2 = stablehlo.add %iterArg, %c_2 : tensor<i32>
//       %3 = stablehlo.dot_general %iterArg_0, %0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
//       stablehlo.return %2, %3, %iterArg_1 : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
//     }
//     return %1#1 : tensor<4x4xf32>
//   }
// }
