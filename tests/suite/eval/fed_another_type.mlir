// test: eval
// What is read is not what the device is fed.
func.func @fed() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @read(%t: !stablehlo.token) -> tensor<2xi64> {
  %0, %t0 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %0 : tensor<2xi64>
}
func.func @main() -> tensor<2xi64> {
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "interpreter.run_parallel"(%t) {infeed = [@fed], programs = [[@read]]} : (!stablehlo.token) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
// error: evaluation @8: on device 0: the infeed carries tensor<3xf32>, but tensor<2xi64> is received
