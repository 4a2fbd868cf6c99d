// test: roundtrip
// Batch normalization, older products, map, sizes.
func.func @main(%x: tensor<2x2x3xf32>, %f: tensor<3xf32>, %m: tensor<2x3xf32>, %n: tensor<3x4xf32>, %i: tensor<2xi32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %f, %f, %f, %f) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x2x3xf32>
  %1:3 = "stablehlo.batch_norm_training"(%0, %f, %f) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %2:3 = "stablehlo.batch_norm_grad"(%1#0, %f, %1#1, %1#2, %x) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x2x3xf32>) -> (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %3 = stablehlo.dot %m, %n, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %4 = stablehlo.dot %m, %f : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %5 = stablehlo.einsum %m, %n, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %6 = stablehlo.unary_einsum %m, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  %7 = "stablehlo.map"(%m, %m) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = stablehlo.broadcast %f, sizes = [2, 1] : (tensor<3xf32>) -> tensor<2x1x3xf32>
  %9 = "stablehlo.torch_index_select"(%m, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %10 = stablehlo.get_dimension_size %m, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %11 = "chlo.ragged_dot"(%m, %n, %i) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x2x4xf32>
  return %5 : tensor<2x4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<2x2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x4xf32>, %arg4: tensor<2xi32>) -> tensor<2x4xf32> {
//     %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x2x3xf32>
//     %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%0, %arg1, %arg1) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
//     %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%output, %arg1, %batch_mean, %batch_var, %arg0) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x2x3xf32>) -> (tensor<2x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
//     %1 = stablehlo.dot %arg2, %arg3, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//     %2 = stablehlo.dot %arg2, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
//     %3 = stablehlo.einsum %arg2, %arg3, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//     %4 = stablehlo.unary_einsum %arg2, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
//     %5 = "stablehlo.map"(%arg2, %arg2) <{dimensions = array<i64: 0, 1>}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %10 = stablehlo.subtract %arg5, %arg6 : tensor<f32>
//       stablehlo.return %10 : tensor<f32>
//     }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
//     %6 = stablehlo.broadcast %arg1, sizes = [2, 1] : (tensor<3xf32>) -> tensor<2x1x3xf32>
//     %7 = "stablehlo.torch_index_select"(%arg2, %arg4) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
//     %8 = stablehlo.get_dimension_size %arg2, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
//     %9 = "chlo.ragged_dot"(%arg2, %arg3, %arg4) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x2x4xf32>
//     return %3 : tensor<2x4xf32>
//   }
// }
