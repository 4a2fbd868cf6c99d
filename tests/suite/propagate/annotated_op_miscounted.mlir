// test: propagate
// An op is annotated with one sharding per result.
sdy.mesh @mesh = <["x"=2]>
func.func @negate(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// error: sharding @5: 2 shardings are given for 1 results
