// test: partition
// Inside, a manual axis shards nothing; and the axes must be those of some mesh.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// error: sharding @5: axis "x" is bound by an `sdy.manual_computation` around this sharding
