// test: optimize pass=hoist-gathers machine=cpu8:2
// So does a gather of what the loop reads from outside, and one of what it computes from nothing else.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32>, %w: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %x = %a) : tensor<i32>, tensor<4x8xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %whole = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %dot = stablehlo.dot_general %x, %whole, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %again = stablehlo.tanh %w : tensor<4x8xf32>
    %gathered = "stablehlo.all_gather"(%again) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %product = stablehlo.dot_general %dot, %gathered, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %next, %product : tensor<i32>, tensor<4x8xf32>
  }
  return %0#1 : tensor<4x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
//     %1 = stablehlo.tanh %arg1 : tensor<4x8xf32>
//     %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
//     %3:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<4x8xf32>
//     cond {
//       %c_1 = stablehlo.constant dense<3> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %4 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       %5 = stablehlo.dot_general %iterArg_0, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//       %6 = stablehlo.dot_general %5, %2, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//       stablehlo.return %4, %6 : tensor<i32>, tensor<4x8xf32>
//     }
//     return %3#1 : tensor<4x8xf32>
//   }
// }
