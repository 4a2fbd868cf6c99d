// test: eval
// Floats of eight bits and fewer: every result is rounded to its type; what is too large becomes what the type has.
func.func @main() -> (tensor<5xf8E4M3FN>, tensor<5xf8E5M2>, tensor<5xf4E2M1FN>, tensor<3xf8E8M0FNU>, tensor<5xf8E5M2>, tensor<5xui8>, tensor<f8E4M3>) {
  %x = stablehlo.constant dense<[0.3, -17.0, 500.0, 1.0e-9, 57344.0]> : tensor<5xf32>
  %0 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf8E4M3FN>
  %1 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf8E5M2>
  %2 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf4E2M1FN>
  %y = stablehlo.constant dense<[3.0, 0.6, 1.4]> : tensor<3xf64>
  %3 = stablehlo.convert %y : (tensor<3xf64>) -> tensor<3xf8E8M0FNU>
  %4 = stablehlo.add %1, %1 : tensor<5xf8E5M2>
  %5 = stablehlo.bitcast_convert %1 : (tensor<5xf8E5M2>) -> tensor<5xui8>
  %z = stablehlo.constant dense<[1.0, 1.125, 1.25, 16.0]> : tensor<4xf8E4M3>
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3>
  %6 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf8E4M3>, tensor<f8E4M3>) -> tensor<f8E4M3>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xf8E4M3FN>, tensor<5xf8E5M2>, tensor<5xf4E2M1FN>, tensor<3xf8E8M0FNU>, tensor<5xf8E5M2>, tensor<5xui8>, tensor<f8E4M3>
}
// expect:
// tensor<5xf8E4M3FN> [0.3125, -16, NaN, 0, NaN]
// tensor<5xf8E5M2> [0.3125, -16, 512, 0, 57344]
// tensor<5xf4E2M1FN> [0.5, -6, 6, 0, 6]
// tensor<3xf8E8M0FNU> [4, 0.5, 1]
// tensor<5xf8E5M2> [0.625, -32, 1024, 0, inf]
// tensor<5xui8> [53, 204, 96, 0, 123]
// tensor<f8E4M3> 20
