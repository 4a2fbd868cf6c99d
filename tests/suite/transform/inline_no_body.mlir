// test: transform pass=inline
// A function that is elsewhere cannot be inlined.
func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @elsewhere(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// error: structure @5: the function `@elsewhere` has no body
