// test: partition
// Parts that begin and end at 1, 2, 6 and 12 of one axis go together.
sdy.mesh @mesh = <["x"=12]>
func.func @main(%a: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)3}]>}, %b: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(6)2}, {"x":(1)6}]>}) -> (tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
// expect:
// all_to_all tensor<1x12xf32> dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]>
// all_to_all tensor<12x1xf32> dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]>
// all_to_all tensor<1x12xf32> dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]>
// (tensor<6x4xf32>, tensor<6x2xf32>) -> (tensor<1x12xf32>)
