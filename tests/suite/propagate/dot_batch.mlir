// test: propagate
// A batching dim is sharded alike in both operands and the result; each free dim reaches the result.
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2]>
func.func @dot(%a: tensor<2x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %b: tensor<2x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}, {"z"}]>}) -> tensor<2x8x6xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x8x4xf32>, tensor<2x4x6xf32>) -> tensor<2x8x6xf32>
  return %0 : tensor<2x8x6xf32>
}
// expect:
// %a [{"x"}, {"y"}, {}]
// %b [{"x", ?}, {}, {"z"}]
// %0 [{"x", ?}, {"y", ?}, {"z", ?}]
// result 0 [{"x", ?}, {"y", ?}, {"z", ?}]
