// test: partition
// A dim that is continued at both ends as in a mirror: only the elements that change their device are sent.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<68x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %a [1:3, 0:8] : (tensor<64x8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x8xf32>
  %2 = stablehlo.concatenate %1, %a, dim = 0 : (tensor<2x8xf32>, tensor<64x8xf32>) -> tensor<66x8xf32>
  %3 = stablehlo.slice %2 [63:65, 0:8] : (tensor<66x8xf32>) -> tensor<2x8xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<2x8xf32>
  %5 = stablehlo.concatenate %2, %4, dim = 0 : (tensor<66x8xf32>, tensor<2x8xf32>) -> tensor<68x8xf32>
  return %5 : tensor<68x8xf32>
}
// expect:
// collective_permute tensor<1x8xf32> dense<[[0, 1], [3, 2]]>
// (tensor<16x8xf32>) -> (tensor<17x8xf32>)
