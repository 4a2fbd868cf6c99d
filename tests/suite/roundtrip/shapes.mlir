// test: roundtrip
// Ops that move elements: ranges with and without strides, negative padding, dims lists.
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<8x5xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.pad %0, %arg1, low = [-1, 0], high = [1, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  %2 = stablehlo.reverse %1, dims = [1] : tensor<4x5xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  %4 = stablehlo.iota dim = 1 : tensor<8x5xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
  %6 = stablehlo.reshape %5 : (tensor<5x8xf32>) -> tensor<40xf32>
  %7 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
  %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<40xf32>) -> tensor<2x40xf32>
  %9:2 = stablehlo.optimization_barrier %3, %8 : tensor<8x5xf32>, tensor<2x40xf32>
  return %9#0 : tensor<8x5xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<8x5xf32> {
//     %0 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
//     %1 = stablehlo.pad %0, %arg1, low = [-1, 0], high = [1, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x5xf32>
//     %2 = stablehlo.reverse %1, dims = [1] : tensor<4x5xf32>
//     %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
//     %4 = stablehlo.iota dim = 1 : tensor<8x5xf32>
//     %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
//     %6 = stablehlo.reshape %5 : (tensor<5x8xf32>) -> tensor<40xf32>
//     %7 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
//     %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<40xf32>) -> tensor<2x40xf32>
//     %9:2 = stablehlo.optimization_barrier %3, %8 : tensor<8x5xf32>, tensor<2x40xf32>
//     return %9#0 : tensor<8x5xf32>
//   }
// }
