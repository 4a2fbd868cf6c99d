// test: microbatches count=2
// Contributions in narrow floats are added up in f32; what each example has is put side by side; a maximum stays one.
func.func @main(%w: tensor<4xbf16> {tf.aliasing_output = 0 : i32}, %x: tensor<4x4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>) {
  %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %top = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<4xbf16>, tensor<bf16>) -> tensor<bf16>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %u = stablehlo.subtract %w, %g : tensor<4xbf16>
  return %u, %y, %top : tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>
}
