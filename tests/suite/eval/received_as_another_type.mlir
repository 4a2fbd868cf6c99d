// test: eval
// What is received is not what was sent.
func.func @send(%t: !stablehlo.token, %a: tensor<2xi64>) -> !stablehlo.token {
  %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
func.func @receive(%t: !stablehlo.token) -> tensor<3xf32> {
  %0, %t0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return %0 : tensor<3xf32>
}
func.func @main() -> tensor<3xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0:2 = "interpreter.run_parallel"(%t, %a, %t) {programs = [[@send], [@receive]]} : (!stablehlo.token, tensor<2xi64>, !stablehlo.token) -> (!stablehlo.token, tensor<3xf32>)
  return %0#1 : tensor<3xf32>
}
// error: evaluation @8: on device 1: channel 1 carries tensor<2xi64>, but tensor<3xf32> is received
