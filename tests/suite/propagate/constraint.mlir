// test: propagate complete
// A constraint holds where it stands: the value is brought to it, and what follows starts from it.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @constrained(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.negate %a : tensor<8x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
  %2 = stablehlo.negate %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// expect:
// %a [{"x"}, {}]
// %0 [{"x"}, {}]
// %1 [{}, {"x"}]    made [{}, {"x"}] from [{}, {"x"}]
// %2 [{}, {"x"}]
// result 0 [{}, {"x"}]
