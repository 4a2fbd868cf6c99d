// test: propagate
// Partial values arise inside the program; an argument cannot be one.
sdy.mesh @mesh = <["x"=2]>
func.func @id(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// error: annotation @4: a value cannot be annotated as `unreduced`
