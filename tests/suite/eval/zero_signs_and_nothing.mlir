// test: eval
// The sign of a sum of zeros is that of IEEE 754; what is empty takes no memory, whatever its other dims are.
func.func @main() -> tensor<ui32> {
  %n = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %neg = stablehlo.constant dense<-0.0> : tensor<f32>
  %pos = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%n init: %neg) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %1, dense<2147483648> : tensor<ui32>
  %2 = stablehlo.reduce(%n init: %pos) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %3, dense<0> : tensor<ui32>
  %4 = stablehlo.iota dim = 1 : tensor<0x1099511627776xi32>
  %5 = stablehlo.slice %4 [0:0, 0:3] : (tensor<0x1099511627776xi32>) -> tensor<0x3xi32>
  check.expect_eq_const %5, dense<> : tensor<0x3xi32>
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %nan = stablehlo.sqrt %minus : tensor<f32>
  check.expect_eq_const %nan, dense<0x7FC00000> : tensor<f32>
  return %1 : tensor<ui32>
}
// expect: tensor<ui32> 2147483648
