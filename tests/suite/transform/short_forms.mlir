// test: transform pass=short-forms
// What a short form stands for comes from it, and the parts are numbered.
func.func @main(%a: tensor<8xf32>, %b: tensor<f32>) -> tensor<8xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<8xf32> {
//     %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
//     %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
//     %2 = stablehlo.tanh %1 : tensor<8xf32>
//     return %2 : tensor<8xf32>
//   }
// }
// stablehlo.broadcast_in_dim: @main chlo.broadcast_add
// stablehlo.add: @main chlo.broadcast_add (1)
// stablehlo.tanh: @main stablehlo.tanh
// func.return: @main func.return
