// test: partition
// The same axes with the devices in another order: shards are sent to the devices that the annotation names.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
func.func @main(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@reversed, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@reversed, [{"x"}, {}]>}) {
  %0 = stablehlo.multiply %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x2xf32>
  %1 = sdy.collective_permute %0 out_sharding=<@reversed, [{"x"}, {}]> : tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}
// expect:
// warning: argument 1 stands on the devices in another order than on the mesh <["x"=4]>: each shard of 16 B is sent
// warning: result 0 stands on the devices in another order than on the mesh <["x"=4]>: each shard of 16 B is sent
// collective_permute tensor<2x2xf32> dense<[[0, 3], [1, 2], [2, 1], [3, 0]]>
// collective_permute tensor<2x2xf32> dense<[[0, 3], [1, 2], [2, 1], [3, 0]]>
// (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>)
