// test: propagate
// Nothing is added to a closed dim, nor an axis that is to stay replicated.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @add(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}, %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8x4xf32>
  %1 = stablehlo.add %a, %c : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// %a [{"x"}, {"y"}]
// %b [{}, {"y", ?}]
// %c [{"x", ?}, {?}], replicated={"y"}
// %0 [{"x", ?}, {"y", ?}]
// %1 [{"x", ?}, {"y", ?}]
// result 0 [{"x", ?}, {"y", ?}]
// result 1 [{"x", ?}, {"y", ?}]
