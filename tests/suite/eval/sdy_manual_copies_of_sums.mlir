// test: eval
// Contributions are added up before copies are compared.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> tensor<1xf32> {
  %in = stablehlo.constant dense<[1.0, 2.0, 2.0, 1.0]> : tensor<4xf32>
  %1 = sdy.manual_computation(%in) in_shardings=[<@mesh, [{"x","y"}]>] out_shardings=[<@mesh, [{}], unreduced={"y"}>] manual_axes={"x","y"} (%a: tensor<1xf32>) {
    sdy.return %a : tensor<1xf32>
  } : (tensor<4xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
// expect: tensor<1xf32> [3]
