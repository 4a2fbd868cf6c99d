// test: propagate complete
// A constant that two unrelated values share does not tie them together.
sdy.mesh @mesh = <["x"=2]>
func.func @shared(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>, %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %0 = stablehlo.add %a, %one : tensor<8x4xf32>
  %1 = stablehlo.add %b, %one : tensor<8x4xf32>
  %2 = stablehlo.add %c, %one : tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// %a [{"x"}, {}]
// %b [{}, {}]
// %c [{}, {"x"}]
// %one [{}, {}]
// %0 [{"x"}, {}]    made [{"x"}, {}] from [{"x"}, {}] x [{"x"}, {}]
// %1 [{}, {}]
// %2 [{}, {"x"}]    made [{}, {"x"}] from [{}, {"x"}] x [{}, {"x"}]
// result 0 [{"x"}, {}]
// result 1 [{}, {}]
// result 2 [{}, {"x"}]
