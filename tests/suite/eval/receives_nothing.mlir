// test: eval
// A device waits for what nobody sends: a deadlock, not a hang.
func.func @receive() -> tensor<i32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0, %t0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %0 : tensor<i32>
}
func.func @main() -> tensor<i32> {
  %0 = "interpreter.run_parallel"() {programs = [[@receive]]} : () -> tensor<i32>
  return %0 : tensor<i32>
}
// error: evaluation @5: the devices wait for each other forever: device 0 receives on channel 5, where nothing is sent
