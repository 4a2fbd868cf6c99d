// test: propagate
// A sharded contracting dim reaches the other operand, not the result.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @dot(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
// expect:
// %a [{}, {"x"}]
// %b [{"x", ?}, {?}]
// %0 [{?}, {?}]
// result 0 [{?}, {?}]
