// test: eval
// The first check that fails ends the run; it is removed by nobody, though it has no results.
func.func @main() {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.iota dim = 1 : tensor<2x3xi32>
  check.expect_eq %a, %a : tensor<2x3xi32>
  check.expect_eq_const %a, dense<[[0, 1, 2], [0, 5, 1]]> : tensor<2x3xi32>
  check.expect_eq_const %c, dense<3> : tensor<i32>
  return
}
// error: checkfailed @7: `check.expect_eq_const`: at index [1, 1] the value is 1, but 5 is expected; 2 of 6 elements differ
