// test: eval
// Numbers without a seed: the same in every run, others at every draw.
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<3xi32>, tensor<3xf16>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<[4]> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %c = stablehlo.constant dense<-5> : tensor<i32>
  %d = stablehlo.constant dense<5> : tensor<i32>
  %t = stablehlo.constant dense<[3]> : tensor<1xi64>
  %2 = stablehlo.rng %c, %d, %t, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
  %m = stablehlo.constant dense<10.0> : tensor<f16>
  %v = stablehlo.constant dense<2.0> : tensor<f16>
  %3 = stablehlo.rng %m, %v, %t, distribution = NORMAL : (tensor<f16>, tensor<f16>, tensor<1xi64>) -> tensor<3xf16>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<3xi32>, tensor<3xf16>
}
// expect:
// tensor<4xf32> [0.600499, 0.753391, 0.984709, 0.0203845]
// tensor<4xf32> [0.589526, 0.177809, 0.50073, 0.872121]
// tensor<3xi32> [3, -4, 3]
// tensor<3xf16> [13.3516, 12.8359, 8.26562]
