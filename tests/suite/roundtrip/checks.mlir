// test: roundtrip
// Checks and custom calls.
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) -> tensor<2xf32> {
  check.expect_eq %b, %b : tensor<2xi32>
  check.expect_eq_const %b, dense<[1, 2]> : tensor<2xi32>
  check.expect_close %a, %a, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_almost_eq %a, %a : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>, tolerance = 0.5
  "check.expect_serialized_eq"(%a) <{probe_id = "p\22", iteration = 1 : ui32}> : (tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %0:2 = stablehlo.custom_call @"a b"(%a) {backend_config = "text", mhlo.x = 1 : i64} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
  %1 = "stablehlo.custom_call"(%a) <{api_version = 4 : i32, backend_config = {k = 3 : i32}, call_target_name = "f", called_computations = [@main], operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> {z} : (tensor<2xf32>) -> tensor<2xf32>
  return %0#0 : tensor<2xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) -> tensor<2xf32> {
//     check.expect_eq %arg1, %arg1 : tensor<2xi32>
//     check.expect_eq_const %arg1, dense<[1, 2]> : tensor<2xi32>
//     check.expect_close %arg0, %arg0, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
//     check.expect_close %arg0, %arg0, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
//     check.expect_almost_eq %arg0, %arg0 : tensor<2xf32>
//     check.expect_almost_eq_const %arg0, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, tolerance = 5.000000e-01
//     check.expect_serialized_eq %arg0, probe_id = "p\22", iter = 1 : tensor<2xf32>
//     stablehlo.custom_call @check.expect_close(%arg0, %arg0) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
//     %0:2 = stablehlo.custom_call @"a b"(%arg0) {backend_config = "text", mhlo.x = 1 : i64} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
//     %1 = stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, backend_config = {k = 3 : i32}, called_computations = [@main], operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>], z} : (tensor<2xf32>) -> tensor<2xf32>
//     return %0#0 : tensor<2xf32>
//   }
// }
