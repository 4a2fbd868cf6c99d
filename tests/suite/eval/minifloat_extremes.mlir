// test: eval
// Reductions of floats without infinities, and without zero, start from what the type has.
func.func @main() -> tensor<f8E4M3FN> {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf8E4M3FN>
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %max = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %max, dense<3.0> : tensor<f8E4M3FN>
  %y = stablehlo.constant dense<[-1.0, 2.0, 3.0]> : tensor<3xf8E5M2FNUZ>
  %top = stablehlo.constant dense<8.0> : tensor<f8E5M2FNUZ>
  %min = stablehlo.reduce(%y init: %top) applies stablehlo.minimum across dimensions = [0] : (tensor<3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %min, dense<-1.0> : tensor<f8E5M2FNUZ>
  %p = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf8E8M0FNU>
  %one = stablehlo.constant dense<1.0> : tensor<f8E8M0FNU>
  %sum = stablehlo.reduce(%p init: %one) applies stablehlo.add across dimensions = [0] : (tensor<3xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<f8E8M0FNU>
  check.expect_eq_const %sum, dense<8.0> : tensor<f8E8M0FNU>
  %z = stablehlo.constant dense<448.0> : tensor<f8E4M3FN>
  %same = stablehlo.reduce_precision %z, format = e4m3 : tensor<f8E4M3FN>
  check.expect_eq_const %same, dense<448.0> : tensor<f8E4M3FN>
  return %max : tensor<f8E4M3FN>
}
// expect: tensor<f8E4M3FN> 3
