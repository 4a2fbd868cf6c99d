// A step of training, small enough to be planned for every plan file that is tried.
func.func @main(%w: tensor<8x16xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<16x8xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<16x8xf32>) -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.tanh %0 : tensor<16x16xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %3 = stablehlo.subtract %2, %x : tensor<16x8xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<16x8xf32>
  %loss = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.dot_general %1, %3, contracting_dims = [0] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %6 = stablehlo.dot_general %3, %v, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x16xf32>
  %7 = stablehlo.dot_general %x, %6, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %8 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
  %9 = stablehlo.multiply %8, %5 : tensor<16x8xf32>
  %10 = stablehlo.subtract %v, %9 : tensor<16x8xf32>
  %11 = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %12 = stablehlo.multiply %11, %7 : tensor<8x16xf32>
  %13 = stablehlo.subtract %w, %12 : tensor<8x16xf32>
  return %13, %10, %loss : tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>
}
