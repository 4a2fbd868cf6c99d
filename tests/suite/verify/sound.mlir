// test: verify
// Padding may cut a dim down to nothing, and slices may be empty.
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<0x6xf32> {
  %0 = stablehlo.pad %arg0, %arg1, low = [-5, 0], high = [1, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<0x6xf32>
  %1 = stablehlo.slice %arg0 [4:4, 0:6] : (tensor<4x6xf32>) -> tensor<0x6xf32>
  return %1 : tensor<0x6xf32>
}
// expect: ok
