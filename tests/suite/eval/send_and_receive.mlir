// test: eval
// Values through the host, in order, and from device to device; a device is fed what its functions give.
func.func @send(%a: tensor<i32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %b = stablehlo.add %a, %a : tensor<i32>
  %1 = "stablehlo.send"(%b, %0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%b, %1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %2 : !stablehlo.token
}
func.func @receive(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %0, %t0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %1, %t1 = "stablehlo.recv"(%t0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %2, %t2 = "stablehlo.recv"(%t1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %3, %t3 = "stablehlo.infeed"(%t2) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %t4 = "stablehlo.outfeed"(%3, %t3) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
func.func private @fed() -> tensor<i32> {
  %c = stablehlo.constant dense<42> : tensor<i32>
  return %c : tensor<i32>
}
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %t = stablehlo.create_token : !stablehlo.token
  %0:5 = "interpreter.run_parallel"(%c, %t, %t) {infeed = [@fed], programs = [[@send, @receive]]} : (tensor<i32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#1, %0#2, %0#3, %0#4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
// expect:
// tensor<i32> 6
// tensor<i32> 3
// tensor<i32> 6
// tensor<i32> 42
