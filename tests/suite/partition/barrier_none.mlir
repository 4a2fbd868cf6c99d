// test: partition
// Shardings do not pass the barrier at all.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = sdy.propagation_barrier %b allowed_direction=NONE : tensor<8x4xf32>
  %3 = stablehlo.tanh %2 : tensor<8x4xf32>
  return %1, %3 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// all_gather tensor<8x4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>)
