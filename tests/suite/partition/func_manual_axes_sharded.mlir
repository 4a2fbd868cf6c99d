// test: partition
// An argument cannot be sharded along an axis along which the function is the program of one device.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// error: structure @4: argument 0 of `@main` is sharded along "x", along which the function is manual
