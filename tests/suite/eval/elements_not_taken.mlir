// test: eval
// A short form of elements that what it stands for does not take.
func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = chlo.broadcast_shift_left %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// error: evaluation @5: this `chlo.broadcast_shift_left` is not evaluated
