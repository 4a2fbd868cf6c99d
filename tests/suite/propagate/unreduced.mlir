// test: propagate
// Inside, an argument of which devices have contributions is complete, and not sharded over their axis.
sdy.mesh @mesh = <["x"=2]>
func.func @id(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}], unreduced={"x"}>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// %a [{?}], replicated={"x"}
// %b [{"x"}]
// %0 [{"x", ?}]
// result 0 [{"x", ?}]
