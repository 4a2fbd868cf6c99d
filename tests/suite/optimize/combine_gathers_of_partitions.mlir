// test: optimize pass=combine-collectives machine=cpu8:2 ids=partition
// XLA takes no gathers of several operands where devices are partitions: operands are laid side by side, a row per device.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%v: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4x4xf32>, tensor<6xf32>) {
  %0 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<6xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<3xf32>) -> (tensor<4x4xf32>, tensor<6xf32>) {
//     %0 = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<1x8xf32>
//     %1 = stablehlo.reshape %arg1 : (tensor<3xf32>) -> tensor<1x3xf32>
//     %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<1x8xf32>, tensor<1x3xf32>) -> tensor<1x11xf32>
//     %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x11xf32>) -> tensor<2x11xf32>
//     %4 = stablehlo.slice %3 [0:2, 0:8] : (tensor<2x11xf32>) -> tensor<2x8xf32>
//     %5 = stablehlo.slice %3 [0:2, 8:11] : (tensor<2x11xf32>) -> tensor<2x3xf32>
//     %6 = stablehlo.reshape %4 : (tensor<2x8xf32>) -> tensor<4x4xf32>
//     %7 = stablehlo.reshape %5 : (tensor<2x3xf32>) -> tensor<6xf32>
//     return %6, %7 : tensor<4x4xf32>, tensor<6xf32>
//   }
// }
