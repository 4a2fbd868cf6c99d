// test: partition
// What is constrained to be unreduced stays so: the dots leave contributions, the sum of two contributions is one, and so
// is its transpose; only the last constraint adds up.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<8x8xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<8x8xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  %7 = stablehlo.tanh %6 : tensor<8x8xf32>
  return %7 : tensor<8x8xf32>
}
// expect:
// reduce_scatter tensor<4x4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<8x2xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>)
