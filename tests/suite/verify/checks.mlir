// test: verify
// Checks compare values of one type, and floats where a tolerance is meant.
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<2xi32>) -> ()
  check.expect_almost_eq %b, %b : tensor<2xi32>
  "check.expect_eq_const"(%a) <{value = dense<1.0> : tensor<3xf32>}> : (tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%b, %b) : (tensor<2xi32>, tensor<2xi32>) -> ()
  stablehlo.custom_call @check.expect_eq(%b) : (tensor<2xi32>) -> ()
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<1> : tensor<1xindex>], result_layouts = []} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// error: op @4: `check.expect_eq`: compares values of one type, not tensor<2xf32> and tensor<2xi32>
// error: op @5: `check.expect_almost_eq`: compares floats, not i32
// error: op @6: `check.expect_eq_const`: compares values of one type, not tensor<2xf32> and tensor<3xf32>
// error: op @7: `stablehlo.custom_call`: `check.expect_close` compares floats, not tensor<2xi32>
// error: op @8: `stablehlo.custom_call`: takes 2 operands, not 1
// error: op @9: `stablehlo.custom_call`: layouts should be given for both operands and results, or for neither
// error: op @10: `stablehlo.custom_call`: the layout of operand 0, a tensor<2xf32>, should be a permutation of its dims
// error: op @10: `stablehlo.custom_call`: 1 results have 0 layouts
