// test: propagate
// Splitting a dim: its axes go to the major part first, and what does not fit there to the minor one.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @split(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %b: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8x2xf32>, tensor<2x8xf32>) {
  %0 = stablehlo.reshape %a : (tensor<16xf32>) -> tensor<8x2xf32>
  %1 = stablehlo.reshape %b : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0, %1 : tensor<8x2xf32>, tensor<2x8xf32>
}
// expect:
// %a [{"x", "y"}]
// %b [{"x", "y"}]
// %0 [{"x", "y", ?}, {?}]
// %1 [{"x":(1)2, ?}, {"x":(2)2, "y", ?}]
// result 0 [{"x", "y", ?}, {?}]
// result 1 [{"x":(1)2, ?}, {"x":(2)2, "y", ?}]
