// test: eval
// A function without a body cannot be called.
func.func private @f() -> tensor<f32>
func.func @main() -> tensor<f32> {
  %0 = call @f() : () -> tensor<f32>
  return %0 : tensor<f32>
}
// error: evaluation @5: the function `@f` has no body
