// test: propagate
// Two orders of the same axes agree on what they start with alike.
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @add(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z", "y"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// %a [{"x", "y", "z"}]
// %b [{"x", "z", "y"}]
// %0 [{"x", ?}]
// result 0 [{"x", ?}]
