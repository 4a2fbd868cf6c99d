// test: partition
// The groups of one manual computation are not groups of the other one's mesh.
sdy.mesh @first = <["a"=2, "b"=3]>
sdy.mesh @second = <["c"=3, "d"=2]>
func.func @main(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@first, [{"a"}, {}]>] out_shardings=[<@first, [{"a"}, {}]>] manual_axes={"a"} (%b: tensor<3x6xf32>) {
    %1 = stablehlo.tanh %b : tensor<3x6xf32>
    sdy.return %1 : tensor<3x6xf32>
  } : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %2 = sdy.manual_computation(%0) in_shardings=[<@second, [{"c"}, {}]>] out_shardings=[<@second, [{"c"}, {}]>] manual_axes={"c"} (%b: tensor<2x6xf32>) {
    %3 = stablehlo.sine %b : tensor<2x6xf32>
    sdy.return %3 : tensor<2x6xf32>
  } : (tensor<6x6xf32>) -> tensor<6x6xf32>
  return %2 : tensor<6x6xf32>
}
// error: several-meshes @10: the manual axis "c" is not made of axes of <["a"=2, "b"=3]>, the mesh of another manual computation
