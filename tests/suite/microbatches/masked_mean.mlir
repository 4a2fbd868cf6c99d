// test: microbatches count=4
// The sum of the mask is read by every example: a pass of its own, which computes nothing but that sum, comes first.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %m: tensor<8xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<4xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %n = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.multiply %y, %m : tensor<8xf32>
  %sum = stablehlo.reduce(%l init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %c = stablehlo.divide %m, %all : tensor<8xf32>
  %g = stablehlo.dot_general %x, %c, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %d = stablehlo.multiply %g, %rate : tensor<4xf32>
  %u = stablehlo.subtract %w, %d : tensor<4xf32>
  return %u, %loss : tensor<4xf32>, tensor<f32>
}
