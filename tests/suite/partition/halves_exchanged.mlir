// test: partition
// Rotary embeddings exchange the halves of a dim and negate one: each device sends its part to the one that needs it,
// negated or not.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                %cos: tensor<4x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                %sin: tensor<4x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> tensor<4x16x64xf32> {
  %0 = stablehlo.slice %a [0:4, 0:16, 32:64] : (tensor<4x16x64xf32>) -> tensor<4x16x32xf32>
  %1 = stablehlo.negate %0 : tensor<4x16x32xf32>
  %2 = stablehlo.slice %a [0:4, 0:16, 0:32] : (tensor<4x16x64xf32>) -> tensor<4x16x32xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 2 : (tensor<4x16x32xf32>, tensor<4x16x32xf32>) -> tensor<4x16x64xf32>
  %4 = stablehlo.multiply %a, %cos : tensor<4x16x64xf32>
  %5 = stablehlo.multiply %3, %sin : tensor<4x16x64xf32>
  %6 = stablehlo.add %4, %5 : tensor<4x16x64xf32>
  return %6 : tensor<4x16x64xf32>
}
// expect:
// collective_permute tensor<2x16x16xf32> dense<[[2, 0], [3, 1], [0, 2], [1, 3], [6, 4], [7, 5], [4, 6], [5, 7]]>
// (tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>) -> (tensor<2x16x16xf32>)
