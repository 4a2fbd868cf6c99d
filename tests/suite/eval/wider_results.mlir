// test: eval
// Results may be wider than what they are computed from.
func.func @main() -> (tensor<1x1x1x1xi32>, tensor<1x1xi32>, tensor<f64>) {
  %x = stablehlo.constant dense<100> : tensor<1x2x2x1xi8>
  %w = stablehlo.constant dense<100> : tensor<2x2x1x1xi8>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x1x1x1xi32>
  %a = stablehlo.constant dense<100> : tensor<1x4xi8>
  %b = stablehlo.constant dense<100> : tensor<4x1xi8>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x4xi8>, tensor<4x1xi8>) -> tensor<1x1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %v = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = "stablehlo.reduce"(%v, %z) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %r = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f64>) -> tensor<f64>
  return %0, %1, %2 : tensor<1x1x1x1xi32>, tensor<1x1xi32>, tensor<f64>
}
// expect:
// tensor<1x1x1x1xi32> [[[[40000]]]]
// tensor<1x1xi32> [[40000]]
// tensor<f64> 3
