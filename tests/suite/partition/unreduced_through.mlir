// test: partition
// From an unreduced argument to an unreduced result nothing is sent, and what reads a contribution otherwise combines it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, tensor<8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %1 = stablehlo.negate %a : tensor<8xf32>
  %2 = stablehlo.exponential %a : tensor<8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  return %0, %3 : tensor<8xf32>, tensor<8xf32>
}
// expect:
// all_reduce tensor<8xf32> dense<[[0, 1]]>
// (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
