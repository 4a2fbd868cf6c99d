// test: optimize pass=combine-collectives machine=h100:1x4
// A gather does not come before the sum that it reads: two sums become one where the second stood, and two gathers one
// behind them, since what reads the first can wait.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.tanh %a : tensor<4x8xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.cosine %b : tensor<4x8xf32>
  %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.sine %2 : tensor<8x8xf32>
  %6 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %5, %6, %4 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
//     %0 = stablehlo.tanh %arg0 : tensor<4x8xf32>
//     %1 = stablehlo.cosine %arg1 : tensor<4x8xf32>
//     %2:2 = "stablehlo.all_reduce"(%0, %1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %9 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %9 : tensor<f32>
//     }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
//     %3 = stablehlo.reshape %arg2 : (tensor<4x8xf32>) -> tensor<32xf32>
//     %4 = stablehlo.reshape %2#0 : (tensor<4x8xf32>) -> tensor<32xf32>
//     %5:2 = "stablehlo.all_gather"(%3, %4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32xf32>, tensor<32xf32>) -> (tensor<64xf32>, tensor<64xf32>)
//     %6 = stablehlo.reshape %5#0 : (tensor<64xf32>) -> tensor<8x8xf32>
//     %7 = stablehlo.reshape %5#1 : (tensor<64xf32>) -> tensor<8x8xf32>
//     %8 = stablehlo.sine %6 : tensor<8x8xf32>
//     return %8, %7, %2#1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
//   }
// }
