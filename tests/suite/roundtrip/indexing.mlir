// test: roundtrip
// Indexing, windows and branches in their preferred forms; lists that are not written stay away.
func.func @main(%arg0: tensor<4x8x4xf32>, %arg1: tensor<6x2xi32>, %arg2: tensor<6x4xf32>, %arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<3x4x2xf32>) -> tensor<f32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<4x8x4xf32>, tensor<6x2xi32>) -> tensor<6x4xf32>
  %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8x4xf32>, tensor<6x2xi32>, tensor<6x4xf32>) -> tensor<4x8x4xf32>
  %2 = stablehlo.dynamic_slice %1, %arg3, %arg3, %arg3, sizes = [1, 8, 2] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x2xf32>
  %3 = stablehlo.dynamic_update_slice %1, %2, %arg3, %arg3, %arg3 {mark = 1 : i64} : (tensor<4x8x4xf32>, tensor<1x8x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
  %4 = stablehlo.convolution(%3, %arg5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, -1]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, mark} : (tensor<4x8x4xf32>, tensor<3x4x2xf32>) -> tensor<4x4x2xf32>
  %5 = "stablehlo.reduce_window"(%4, %arg4) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x4x2xf32>, tensor<f32>) -> tensor<4x3x2xf32>
  %6 = "stablehlo.sort"(%5) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  %values, %indices = chlo.top_k(%6, k = 1, is_stable = false) : tensor<4x3x2xf32> -> (tensor<4x3x1xf32>, tensor<4x3x1xi32>)
  %7 = "stablehlo.case"(%arg3) ({
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %7 : tensor<f32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x8x4xf32>, %arg1: tensor<6x2xi32>, %arg2: tensor<6x4xf32>, %arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<3x4x2xf32>) -> tensor<f32> {
//     %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<4x8x4xf32>, tensor<6x2xi32>) -> tensor<6x4xf32>
//     %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       stablehlo.return %arg7 : tensor<f32>
//     }) : (tensor<4x8x4xf32>, tensor<6x2xi32>, tensor<6x4xf32>) -> tensor<4x8x4xf32>
//     %2 = stablehlo.dynamic_slice %1, %arg3, %arg3, %arg3, sizes = [1, 8, 2] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x2xf32>
//     %3 = stablehlo.dynamic_update_slice %1, %2, %arg3, %arg3, %arg3 {mark = 1 : i64} : (tensor<4x8x4xf32>, tensor<1x8x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
//     %4 = stablehlo.convolution(%3, %arg5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, -1]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, mark} : (tensor<4x8x4xf32>, tensor<3x4x2xf32>) -> tensor<4x4x2xf32>
//     %5 = "stablehlo.reduce_window"(%4, %arg4) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 2, 1>}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %8 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<4x4x2xf32>, tensor<f32>) -> tensor<4x3x2xf32>
//     %6 = "stablehlo.sort"(%5) <{dimension = 1 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %8 = stablehlo.compare LT, %arg6, %arg7, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
//       stablehlo.return %8 : tensor<i1>
//     }) : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
//     %values, %indices = chlo.top_k(%6, k = 1, is_stable = false) : tensor<4x3x2xf32> -> (tensor<4x3x1xf32>, tensor<4x3x1xi32>)
//     %7 = "stablehlo.case"(%arg3) ({
//       stablehlo.return %arg4 : tensor<f32>
//     }) : (tensor<i32>) -> tensor<f32>
//     return %7 : tensor<f32>
//   }
// }
