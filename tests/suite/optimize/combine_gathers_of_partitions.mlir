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
