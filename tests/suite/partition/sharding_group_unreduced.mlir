// test: partition
// Members of a group share the whole sharding: both arguments are given as contributions, and combined where read.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  %0 = stablehlo.multiply %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// all_reduce tensor<8xf32> dense<[[0, 1]]>
// all_reduce tensor<8xf32> dense<[[0, 1]]>
// (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>)
