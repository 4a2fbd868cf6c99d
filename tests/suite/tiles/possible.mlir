// test: tiles count=4 possible
// Who asks for tiles gets them where they win little: of the memory most is a value without such a dim, and the backward pass makes a product with weights again.
func.func @main(%w: tensor<2x16xf32> {tf.aliasing_output = 1 : i32}, %v: tensor<16x2xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<2x8x2xf32>, %q: tensor<64x2xf32>) -> (tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %q, contracting_dims = [1] x [1] : (tensor<64x2xf32>, tensor<64x2xf32>) -> tensor<64x64xf32>
  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = stablehlo.multiply %s, %t : tensor<64x64xf32>
  %p = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x8x2xf32>, tensor<2x16xf32>) -> tensor<2x8x16xf32>
  %a = stablehlo.tanh %h : tensor<2x8x16xf32>
  %y = stablehlo.dot_general %a, %v, contracting_dims = [2] x [0] : (tensor<2x8x16xf32>, tensor<16x2xf32>) -> tensor<2x8x2xf32>
  %l = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x2xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %l, %p : tensor<f32>
  %dv = stablehlo.dot_general %a, %y, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x16xf32>, tensor<2x8x2xf32>) -> tensor<16x2xf32>
  %da = stablehlo.dot_general %y, %v, contracting_dims = [2] x [1] : (tensor<2x8x2xf32>, tensor<16x2xf32>) -> tensor<2x8x16xf32>
  %dh = stablehlo.multiply %da, %a : tensor<2x8x16xf32>
  %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x2xf32>, tensor<2x8x16xf32>) -> tensor<2x16xf32>
  %nw = stablehlo.subtract %w, %dw : tensor<2x16xf32>
  %nv = stablehlo.subtract %v, %dv : tensor<16x2xf32>
  return %loss, %nw, %nv : tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>
}
