// test: partition
// Both meshes have the manual axis; that of the shardings counts.
sdy.mesh @other = <["x"=4, "y"=2]>
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// expect: (tensor<4x4xf32>) -> (tensor<4x4xf32>)
