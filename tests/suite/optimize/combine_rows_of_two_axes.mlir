// test: optimize pass=combine-collectives machine=h100:1x4
// Gathers that become one lay their operands in a row; the row of the second one has both axes outside of it.
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %b: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> (tensor<4xf32>, tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<1x8xf32>) -> tensor<2x8xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<1x8xf32>) -> (tensor<4xf32>, tensor<2x8xf32>) {
//     %0 = stablehlo.reshape %arg1 : (tensor<1x8xf32>) -> tensor<8xf32>
//     %1:2 = "stablehlo.all_gather"(%arg0, %0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<16xf32>)
//     %2 = stablehlo.reshape %1#1 : (tensor<16xf32>) -> tensor<2x8xf32>
//     return %1#0, %2 : tensor<4xf32>, tensor<2x8xf32>
//   }
// }
