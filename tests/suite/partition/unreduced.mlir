// test: partition
// Contributions on the boundary: the argument is added up, and the result is complete on the first device of each group.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// all_reduce tensor<4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4xf32>) -> (tensor<4xf32>)
