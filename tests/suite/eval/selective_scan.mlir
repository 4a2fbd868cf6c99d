// test: eval
// Steps of ln 2 over rates of -1 halve the states of the token before; a longer step of the second token adds more.
func.func @main() -> tensor<1x3x1xf64> {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [0.0]]]> : tensor<1x3x1xf64>
  %s = stablehlo.constant dense<[[[1.0], [2.0], [1.0]]]> : tensor<1x3x1xf64>
  %a = stablehlo.constant dense<[[-0.69314718055994529, 0.0]]> : tensor<1x2xf64>
  %w = stablehlo.constant dense<[[[1.0, 1.0], [1.0, 0.5], [0.0, 0.0]]]> : tensor<1x3x2xf64>
  %r = stablehlo.constant dense<[[[1.0, 0.0], [1.0, 0.0], [1.0, 100.0]]]> : tensor<1x3x2xf64>
  %y = "meshwright.selective_scan"(%x, %s, %a, %w, %r) : (tensor<1x3x1xf64>, tensor<1x3x1xf64>, tensor<1x2xf64>, tensor<1x3x2xf64>, tensor<1x3x2xf64>) -> tensor<1x3x1xf64>
  return %y : tensor<1x3x1xf64>
}
// expect: tensor<1x3x1xf64> [[[1], [4.25], [302.125]]]
