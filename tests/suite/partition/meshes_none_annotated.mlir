// test: partition
// Several meshes, and nothing says which one is meant.
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @b = <["z"=4]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// error: mesh @4: the program declares several meshes, @a and @b among them, and no annotation says which is meant
