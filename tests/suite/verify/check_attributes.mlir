// test: verify
// Attributes of checks and custom calls.
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  check.expect_eq_const %a, dense<1.0> : tensor<3xf32>
  "check.expect_almost_eq"(%a, %a) <{tolerance = 1 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  %2 = stablehlo.custom_call @f(%a) {called_computations = @f} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @f(%a) {api_version = 9 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// error: signature @4: operand 0 (`%a`) is tensor<2xf32>, but the text says tensor<3xf32>
// error: attributes @5: `check.expect_almost_eq`: `tolerance` should be an f64, found `1 : i64`
// error: attributes @6: `stablehlo.custom_call`: `called_computations` should be a list of symbols, found `@f`
// error: attributes @7: `stablehlo.custom_call`: `api_version` should be an i32 from 0 to 4, found `9 : i32`
