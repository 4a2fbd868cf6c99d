// test: propagate
// An annotation on an op's results fixes them as a constraint would.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @negate(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : tensor<8x4xf32>
  %1 = stablehlo.negate %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
// expect:
// %a [{"x", ?}, {?}]
// %0 [{"x"}, {?}]
// %1 [{"x", ?}, {?}]
// result 0 [{"x", ?}, {?}]
