// test: attention
// A softmax with one in its denominator beside the exponentials, so that a query may look at nothing.
func.func @quiet(%q: tensor<2x16x4x8xbf16>, %k: tensor<2x16x4x8xbf16>, %v: tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xf32>
  %1 = stablehlo.exponential %0 : tensor<2x4x16x16xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<2x4x16xf32>
  %3 = stablehlo.add %2, %one : tensor<2x4x16xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
  %5 = stablehlo.divide %1, %4 : tensor<2x4x16x16xf32>
  %6 = stablehlo.convert %5 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
  %7 = stablehlo.dot_general %6, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
  return %7 : tensor<2x4x16x8xbf16>
}
// expect: line 5: left, as its softmax is over more than its keys and one sink for each head
