// test: tiles count=4
// A step on one example: its tokens, which attend to one another, are no batch, and queries run in tiles.
func.func @step(%w: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<1x64x4xf32>, %t: tensor<1x64x4xf32>) -> tensor<4x4xf32> {
  %q = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<1x64x4xf32>, tensor<4x4xf32>) -> tensor<1x64x4xf32>
  %s = stablehlo.dot_general %q, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x64x4xf32>, tensor<1x64x4xf32>) -> tensor<1x64x64xf32>
  %p = stablehlo.tanh %s : tensor<1x64x64xf32>
  %y = stablehlo.dot_general %p, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x64x64xf32>, tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %dy = stablehlo.subtract %y, %t : tensor<1x64x4xf32>
  %dp = stablehlo.dot_general %dy, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x64x4xf32>, tensor<1x64x4xf32>) -> tensor<1x64x64xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1x64x64xf32>
  %pp = stablehlo.multiply %p, %p : tensor<1x64x64xf32>
  %r = stablehlo.subtract %one, %pp : tensor<1x64x64xf32>
  %ds = stablehlo.multiply %dp, %r : tensor<1x64x64xf32>
  %dq = stablehlo.dot_general %ds, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x64x64xf32>, tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %dw = stablehlo.dot_general %x, %dq, contracting_dims = [0, 1] x [0, 1] : (tensor<1x64x4xf32>, tensor<1x64x4xf32>) -> tensor<4x4xf32>
  %new = stablehlo.subtract %w, %dw : tensor<4x4xf32>
  return %new : tensor<4x4xf32>
}
