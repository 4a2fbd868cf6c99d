// test: meaning
// Shards of different dims do not meet, and are put together in their own order.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %c: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x4xf32>, tensor<16xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 1, 3]]> : tensor<1x4xi64>}> : (tensor<4xf32>) -> tensor<16xf32>
  return %a, %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<16xf32>
}
// error: device-program @8: D7: `stablehlo.add`: dims that do not belong together are both sharded over x
// error: device-program @9: D7: `stablehlo.all_gather`: shards of dim 0, which is sharded over x, y, are put together over y, x
// error: device-program @10: D7: `func.return`: result 0 is [{"x"}, {}], not [{}, {"x"}]
