// test: transform pass=short-forms
// A program without short forms stays as it is.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect: nothing to do
