// test: partition
// Of two dims the one along the outer axis is gathered first: the last gather sends most, over the links of the inner axis.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> (tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
  %0 = stablehlo.negate %a : tensor<4x6x8xf32>
  return %0 : tensor<4x6x8xf32>
}
// expect:
// all_gather tensor<4x6x2xf32> dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>
// all_gather tensor<4x6x8xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<2x6x2xf32>) -> (tensor<4x6x8xf32>)
