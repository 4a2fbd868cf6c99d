// test: partition
// Reversed along two sharded dims, whole shards change places at once.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
// expect:
// collective_permute tensor<16x32xf32> dense<[[7, 0], [6, 1], [5, 2], [4, 3], [3, 4], [2, 5], [1, 6], [0, 7]]>
// (tensor<16x32xf32>) -> (tensor<16x32xf32>)
