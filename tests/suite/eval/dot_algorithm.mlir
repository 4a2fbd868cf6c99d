// test: eval
// An algorithm rounds the operands to its types, unless it makes several products.
func.func @main() -> tensor<f32> {
  %a = stablehlo.constant dense<[1.00390625]> : tensor<1xf32>
  %t = stablehlo.constant dense<[1.000244140625]> : tensor<1xf32>
  %b = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  %1 = stablehlo.dot_general %t, %b, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %1, dense<1.0> : tensor<f32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %2, dense<1.00390625> : tensor<f32>
  %big = stablehlo.constant dense<(1000.0, 0.0)> : tensor<complex<f64>>
  %3 = chlo.sinh %big : tensor<complex<f64>> -> tensor<complex<f64>>
  %4 = stablehlo.real %3 : (tensor<complex<f64>>) -> tensor<f64>
  check.expect_eq_const %4, dense<0x7FF0000000000000> : tensor<f64>
  return %2 : tensor<f32>
}
// expect: tensor<f32> 1.00391
