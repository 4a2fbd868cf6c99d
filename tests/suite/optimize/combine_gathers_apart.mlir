// test: optimize pass=combine-collectives machine=h100:1x2
// Gathers of other dims than the first stay apart: XLA lays out those of several operands wrongly.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%v: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %w: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%v) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<2x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x2xf32>, %arg1: tensor<2x2xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
//     %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
//     %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
//     return %0, %1 : tensor<4x4xf32>, tensor<2x4xf32>
//   }
// }
