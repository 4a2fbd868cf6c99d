// test: partition
// The axes along which a function is manual are those of some mesh.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"z"}>} {
  return %a : tensor<8xf32>
}
// error: structure @4: `@main` is manual along "z", but no mesh has that
