// test: optimize pass=reduce-after-loops
// Sums that a loop adds up are added up as contributions; what the loop started from counts once.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %0:3 = stablehlo.while(%i = %start, %sum = %zeros, %more = %c) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %dot = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.all_reduce"(%dot) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %sum, %1 : tensor<4x4xf32>
    %twice = stablehlo.add %dot, %dot : tensor<4x4xf32>
    %3 = "stablehlo.all_reduce"(%twice) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.add %3, %more : tensor<4x4xf32>
    stablehlo.return %next, %2, %4 : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#1, %0#2 : tensor<4x4xf32>, tensor<4x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %cst, %iterArg_2 = %cst_0) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<3> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %c_3 = stablehlo.constant dense<1> : tensor<i32>
//       %4 = stablehlo.add %iterArg, %c_3 : tensor<i32>
//       %5 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
//       %6 = stablehlo.add %iterArg_1, %5 : tensor<4x4xf32>
//       %7 = stablehlo.add %5, %5 : tensor<4x4xf32>
//       %8 = stablehlo.add %7, %iterArg_2 : tensor<4x4xf32>
//       stablehlo.return %4, %6, %8 : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
//     }
//     %1 = "stablehlo.all_reduce"(%0#1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %4 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %2 = "stablehlo.all_reduce"(%0#2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %4 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %3 = stablehlo.add %arg2, %2 : tensor<4x4xf32>
//     return %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>
//   }
// }
