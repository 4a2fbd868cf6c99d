// test: partition
// The second product could pass on one axis of the sum only: two sums instead of one, so all is summed at once.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %b: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %w: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
// expect:
// all_reduce tensor<64x64xf32> dense<[[0, 1, 2, 3]]>
// (tensor<64x256xf32>, tensor<256x64xf32>, tensor<64x16xf32>) -> (tensor<64x16xf32>)
