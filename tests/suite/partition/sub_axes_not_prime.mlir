// test: partition
// Parts of an axis that are not its prime factors, the smallest first: the axis is split where they end.
sdy.mesh @mesh = <["x"=6]>
func.func @main(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}, {"x":(3)2}]>}, %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(3)2}, {}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<12x6xf32>, tensor<6x4xf32>) -> tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
// expect:
// reduce_scatter tensor<2x4xf32> dense<[[0, 1], [2, 3], [4, 5]]>
// (tensor<4x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
