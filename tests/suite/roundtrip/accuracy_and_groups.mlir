// test: roundtrip
// Accuracies, algorithms and other attributes in the form in which MLIR prints them; groups along mesh axes.
#alias = #stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
module attributes {x.y = #stablehlo.gather<
    index_vector_dim = 1,
    offset_dims = [2]>, x.z = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, output_batch_dimension = 0, output_feature_dimension = 1>} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<2x2xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.tanh %a {result_accuracy = #alias} : tensor<2x2xf32>
    %1 = stablehlo.abs %0 {result_accuracy = #alias} : tensor<2x2xf32>
    %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32,
      rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
      num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    %4 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "z", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
}
// expect:
// module attributes {x.y = #stablehlo.gather<offset_dims = [2], index_vector_dim = 1>, x.z = #stablehlo.conv<[b, f]x[o, i]->[b, f]>} {
//   sdy.mesh @mesh = <["x"=2, "y"=2]>
//   func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x4xf32> {
//     %0 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e+00, ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x2xf32>
//     %1 = stablehlo.abs %0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e+00, ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x2xf32>
//     %2 = stablehlo.dot_general %arg0, %1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
//     %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
//     %4 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "z", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
//     return %3 : tensor<2x4xf32>
//   }
// }
