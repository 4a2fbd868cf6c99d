// test: eval
// More is read than the device is fed.
func.func @main() -> tensor<i32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0, %t0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %0 : tensor<i32>
}
// error: evaluation @5: there is nothing (more) that the device is fed
