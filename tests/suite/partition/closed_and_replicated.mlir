// test: partition
// A closed dim takes no axes, and none takes an axis that is to stay replicated: the first argument is sharded over "y"
// alone, the second not at all.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"x"}>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.tanh %b : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect: (tensor<8x2xf32>, tensor<8x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>)
