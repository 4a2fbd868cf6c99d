// test: roundtrip generic
// The generic form spells every attribute by the name that the specification gives it.
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.pad %0, %arg1, low = [0, 0], high = [1, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %3 = stablehlo.iota dim = 0 : tensor<2xi32>
  %4 = stablehlo.reduce_precision %2, format = e8m7 : tensor<5x5xf32>
  %5 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %6 = stablehlo.compare GE, %arg1, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %6 : tensor<i1>
}
