// test: eval
// Checks that hold change nothing; the default tolerance is 1e-4.
func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.00009, 2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[0x3F800003, 0x7FC00000]> : tensor<2xf32>
  %d = stablehlo.constant dense<[1.0, 0xFFC00001]> : tensor<2xf32>
  check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_almost_eq %a, %b : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<[1.4, 2.0]> : tensor<2xf32>, tolerance = 0.5
  check.expect_close %c, %d, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%c, %d) : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  %e = stablehlo.custom_call @Sharding(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %e : tensor<2xf32>
}
// expect: tensor<2xf32> [1, 2]
