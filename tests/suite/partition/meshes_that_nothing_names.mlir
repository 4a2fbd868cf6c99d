// test: partition
// Nothing is annotated: the first mesh says how many devices there are.
sdy.mesh @first = <["x"=2, "y"=2]>
sdy.mesh @second = <["z"=4]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// error: mesh: the program declares no mesh
