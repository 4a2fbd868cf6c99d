// One step of gradient descent for a linear model; the loss comes last.
module {
  func.func @main(%w: tensor<4x2xf32> {tf.aliasing_output = 0 : i32} loc("w"), %x: tensor<8x4xf32> loc("x"), %t: tensor<8x2xf32> loc("t"))
      -> (tensor<4x2xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %rate = stablehlo.constant dense<0.05> : tensor<4x2xf32>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %d = stablehlo.subtract %y, %t : tensor<8x2xf32>
    %sq = stablehlo.multiply %d, %d : tensor<8x2xf32>
    %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %s = stablehlo.multiply %rate, %g : tensor<4x2xf32>
    %n = stablehlo.subtract %w, %s : tensor<4x2xf32>
    return %n, %loss : tensor<4x2xf32>, tensor<f32>
  }
}
