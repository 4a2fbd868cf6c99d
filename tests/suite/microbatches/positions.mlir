// test: microbatches count=2
// What depends on the position of an example keeps it: microbatch m has the examples m, m + 2, ... Batch and tokens may
// be one dim.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<12xi32>
  %r = stablehlo.reshape %i : (tensor<12xi32>) -> tensor<4x3xi32>
  %p = stablehlo.convert %r : (tensor<4x3xi32>) -> tensor<4x3xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x3x4xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  %e = stablehlo.multiply %y, %p : tensor<4x3xf32>
  %g = stablehlo.dot_general %x, %e, contracting_dims = [0, 1] x [0, 1] : (tensor<4x3x4xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}
