// test: tiles count=2
// What is normalized along both dims has none along which its makers are independent.
func.func @main(%q: tensor<16x2xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %q, contracting_dims = [1] x [1] : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x16xf32>
  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = stablehlo.multiply %s, %t : tensor<16x16xf32>
  %l = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
// expect: nothing can run in tiles
