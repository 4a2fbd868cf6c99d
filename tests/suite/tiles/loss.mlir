// test: tiles count=4
// A loss along the tokens: between logits and their gradient are no other products, so that both are in one loop and nothing
// is made twice.
func.func @main(%w: tensor<4x64xf32>, %x: tensor<16x4xf32>, %labels: tensor<16x64xf32>) -> (tensor<f32>, tensor<4x64xf32>, tensor<16x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x64xf32>) -> tensor<16x64xf32>
  %e = stablehlo.exponential %l : tensor<16x64xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %g = stablehlo.log %n : tensor<16xf32>
  %loss = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %dl = stablehlo.divide %e, %nb : tensor<16x64xf32>
  %dw = stablehlo.dot_general %x, %dl, contracting_dims = [0] x [0] : (tensor<16x4xf32>, tensor<16x64xf32>) -> tensor<4x64xf32>
  %dx = stablehlo.dot_general %dl, %w, contracting_dims = [1] x [1] : (tensor<16x64xf32>, tensor<4x64xf32>) -> tensor<16x4xf32>
  return %loss, %dw, %dx : tensor<f32>, tensor<4x64xf32>, tensor<16x4xf32>
}
// expect: nothing can run in tiles
