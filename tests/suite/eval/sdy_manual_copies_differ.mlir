// test: eval
// What devices return as the same part of a result must be the same.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%arg0: tensor<2xi32>) {
    sdy.return %arg0 : tensor<2xi32>
  } : (tensor<4xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
// error: evaluation @6: devices 0 and 2 return different numbers for the same part of a result, which is the same on both by its `out_shardings`
