// test: microbatches count=2
// A conditional that goes the same way for all examples runs in each microbatch. What one branch leaves of the batch as a sum and another as a number is a sum, to which the first microbatch adds the number.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %which: tensor<i1>) -> (tensor<4xf32>, tensor<f32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f:2 = "stablehlo.if"(%which) ({
    %y = stablehlo.tanh %x : tensor<8x4xf32>
    %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %y, %s : tensor<8x4xf32>, tensor<f32>
  }, {
    %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
    %three = stablehlo.constant dense<3.0> : tensor<f32>
    stablehlo.return %one, %three : tensor<8x4xf32>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<8x4xf32>, tensor<f32>)
  %g = stablehlo.reduce(%f#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u, %f#1, %f#0 : tensor<4xf32>, tensor<f32>, tensor<8x4xf32>
}
// expect:
