// test: partition unchecked
// Nothing says that the argument is complete: each device's own copy is a contribution.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  %1 = sdy.reduce_scatter [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// expect:
// all_reduce tensor<4xf32> dense<[[0, 1]]>
// (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>)
