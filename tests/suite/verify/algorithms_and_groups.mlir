// test: verify
// Precisions, algorithms, groups, aliases and windows that do not fit.
func.func @main(%a: tensor<4x4xf32>, %i: tensor<4x4xi32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGH, HIGH, HIGH] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %a, %i, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.custom_call @f(%a) {backend_config = {n = 1 : i64}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}
// error: op @4: `stablehlo.dot_general`: C11: `precision` should have an entry per operand, not 3
// error: op @5: `stablehlo.dot_general`: C13: elements of f32 are multiplied with elements of i32
// error: op @6: `stablehlo.dot_general`: no hardware is known to have the algorithm `#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>`
// error: op @7: `stablehlo.all_gather`: device 1 is in no group of `replica_groups`
// error: op @8: `stablehlo.custom_call`: `backend_config` should be a string, or `api_version` 4
// error: op @9: `stablehlo.custom_call`: `operand_index` 1 of an alias names no operand
// error: op @10: `stablehlo.custom_call`: an alias makes a tensor<2x4xf32> of a tensor<4x4xf32>
