// test: propagate complete
// The values of a barrier have nothing to do with one another: each may use the axis.
sdy.mesh @mesh = <["x"=2]>
func.func @barrier(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8x4xf32>, tensor<8x4xf32>
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// %a [{"x"}, {}]
// %b [{}, {"x"}]
// %0 [{"x"}, {}]
// %0 [{}, {"x"}]
// result 0 [{"x"}, {}]
// result 1 [{}, {"x"}]
