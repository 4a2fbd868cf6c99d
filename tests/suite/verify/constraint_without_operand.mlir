// test: verify
// A constraint on nothing is an error like any other.
sdy.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<4xf32> {
  %0 = "sdy.sharding_constraint"() <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// error: op @5: `sdy.sharding_constraint`: takes 1 operands, not 0
