// test: partition
// The dim that ends in padding is made whole first, so that the padding of six rows in four shards is sent once.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.negate %a : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// expect:
// all_gather tensor<8x3xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// all_gather tensor<6x6xf32> dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>
// (tensor<2x3xf32>) -> (tensor<6x6xf32>)
