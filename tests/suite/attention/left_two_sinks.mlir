// test: attention
// Two numbers for each head beside the scores: no sink.
func.func @sinks(%q: tensor<2x16x4x8xbf16>, %k: tensor<2x16x4x8xbf16>, %v: tensor<2x16x4x8xbf16>, %sinks: tensor<4x2xf32>) -> tensor<2x4x16x8xbf16> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xf32>
  %1 = stablehlo.broadcast_in_dim %sinks, dims = [1, 3] : (tensor<4x2xf32>) -> tensor<2x4x16x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 3 : (tensor<2x4x16x16xf32>, tensor<2x4x16x2xf32>) -> tensor<2x4x16x18xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x18xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x18xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<2x4x16x18xf32>
  %6 = stablehlo.exponential %5 : tensor<2x4x16x18xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x18xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x18xf32>
  %9 = stablehlo.divide %6, %8 : tensor<2x4x16x18xf32>
  %10 = stablehlo.slice %9 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x18xf32>) -> tensor<2x4x16x16xf32>
  %11 = stablehlo.convert %10 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
  %12 = stablehlo.dot_general %11, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
  return %12 : tensor<2x4x16x8xbf16>
}
// expect: line 11: left, as its softmax is over more than its keys and one sink for each head
