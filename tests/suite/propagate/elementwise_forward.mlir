// test: propagate
// A sharded operand decides the result and the other operand; its own closed dims stay.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @add(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// expect:
// %a [{"x"}, {}]
// %b [{"x", ?}, {"y"}]
// %0 [{"x", ?}, {"y", ?}]
// result 0 [{"x", ?}, {"y", ?}]
