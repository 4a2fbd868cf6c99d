// test: eval
// Choices, bounds and conversions.
func.func @main() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<2xi16>) {
  %x = stablehlo.constant dense<[-1.5, 0.1, 2.7]> : tensor<3xf32>
  %lo = stablehlo.constant dense<-1.0> : tensor<f32>
  %hi = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %p = stablehlo.compare GT, %x, %hi, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %q = stablehlo.compare LT, %lo, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %hi : tensor<3xi1>, tensor<3xf32>
  %1 = stablehlo.select %q, %x, %hi : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.clamp %lo, %x, %one : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %3 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi32>
  %4 = stablehlo.reduce_precision %x, format = e8m7 : tensor<3xf32>
  %5 = stablehlo.bitcast_convert %hi : (tensor<3xf32>) -> tensor<3xi32>
  %6 = stablehlo.bitcast_convert %one : (tensor<f32>) -> tensor<2xi16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<2xi16>
}
// expect:
// tensor<3xf32> [0, 1, 2.7]
// tensor<3xf32> [-1.5, 0.1, 2.7]
// tensor<3xf32> [-1, 0.1, 1]
// tensor<3xi32> [-1, 0, 2]
// tensor<3xf32> [-1.5, 0.100098, 2.70312]
// tensor<3xi32> [0, 1065353216, 1073741824]
// tensor<2xi16> [0, 16256]
