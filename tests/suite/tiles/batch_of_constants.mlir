// test: tiles count=2
// A table of constants has no dims of its own: along with the batch of what it is multiplied by, it is no dim for tiles.
func.func @main(%w: tensor<8x64xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<16x8xf32>, %t: tensor<16x64xf32>) -> (tensor<8x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %c = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
  %k = stablehlo.tanh %c : tensor<16x64xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %z = stablehlo.multiply %y, %k : tensor<16x64xf32>
  %n = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %d = stablehlo.subtract %z, %nb : tensor<16x64xf32>
  %dz = stablehlo.subtract %d, %t : tensor<16x64xf32>
  %m = stablehlo.reduce(%dz init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %dn = stablehlo.subtract %dz, %mb : tensor<16x64xf32>
  %dy = stablehlo.multiply %dn, %k : tensor<16x64xf32>
  %g = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %nw = stablehlo.subtract %w, %g : tensor<8x64xf32>
  return %nw : tensor<8x64xf32>
}
// expect: nothing can run in tiles
