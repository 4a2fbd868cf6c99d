// test: partition
// The gradient of a weight that is whole over "model" is computed in parts, each is summed over "data", and then they
// are gathered: that sends as much as summing the whole does. An axis over which nothing is sharded is left alone.
sdy.mesh @mesh = <["data"=2, "model"=2, "idle"=2]>
func.func @main(%x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %g: tensor<512x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %other: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<64x128xf32>, tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x128xf32>) -> tensor<64x128xf32>
  return %0, %other : tensor<64x128xf32>, tensor<4xf32>
}
// expect:
// all_reduce tensor<32x128xf32> dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>
// all_gather tensor<64x128xf32> dense<[[0, 2], [1, 3], [4, 6], [5, 7]]>
// (tensor<256x64xf32>, tensor<256x128xf32>, tensor<2xf32>) -> (tensor<64x128xf32>, tensor<2xf32>)
