// test: propagate
// Merging dims: the minor dim's axes only follow if the major dim is sharded completely.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @merge(%a: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16xf32>, tensor<32xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x8xf32>) -> tensor<16xf32>
  %1 = stablehlo.reshape %b : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<16xf32>, tensor<32xf32>
}
// expect:
// %a [{"x"}, {"y"}]
// %b [{"x"}, {"y"}]
// %0 [{"x", "y", ?}]
// %1 [{"x", ?}]
// result 0 [{"x", "y", ?}]
// result 1 [{"x", ?}]
