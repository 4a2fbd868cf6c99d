// test: partition
// A sharded value becomes one of which each device holds a part of the maximum, and another of the minimum; the rest is
// neutral there.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) -> (tensor<6x6xf32>, tensor<6xi32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<6x6xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}], unreduced=max{"x"}> : tensor<6x6xf32>
  %2 = sdy.reshard %0 <@mesh, [{"y"}, {}], unreduced=min{"x"}> : tensor<6x6xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<6x6xf32>
  %4 = sdy.reshard %b <@mesh, [{}], unreduced=max{"x", "y"}> : tensor<6xi32>
  return %3, %4 : tensor<6x6xf32>, tensor<6xi32>
}
// expect:
// all_reduce tensor<3x6xf32> dense<[[0, 2], [1, 3]]>
// all_reduce tensor<3x6xf32> dense<[[0, 2], [1, 3]]>
// all_reduce tensor<6xi32> dense<[[0, 1, 2, 3]]>
// (tensor<6x3xf32>, tensor<6xi32>) -> (tensor<3x6xf32>, tensor<6xi32>)
