// test: eval
// The program of one of many devices has no value on one device alone.
sdy.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg0: tensor<2xi32>) {
    sdy.return %arg0 : tensor<2xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// error: evaluation @6: `sdy.manual_computation` is the program of one of many devices along {"x"}, so it has no value on one device alone
