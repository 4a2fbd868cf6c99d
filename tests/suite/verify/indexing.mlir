// test: verify
// Indexing and window ops that break their rules.
func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<6x1xi32>, %arg2: tensor<6x8xf32>, %arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<2x3x4xf32>, %arg6: tensor<3x3x8xf32>) -> tensor<f32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %1 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 9>}> : (tensor<4x8xf32>, tensor<6x1xi32>) -> tensor<6x9xf32>
  %2 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %3 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.dynamic_slice %arg0, %arg3, %arg4, sizes = [1, 9] : (tensor<4x8xf32>, tensor<i32>, tensor<f32>) -> tensor<1x9xf32>
  %5 = stablehlo.dynamic_update_slice %arg0, %arg2, %arg3 : (tensor<4x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  %6 = stablehlo.convolution(%arg5, %arg6) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 3 : i64} : (tensor<2x3x4xf32>, tensor<3x3x8xf32>) -> tensor<2x1x8xf32>
  %7 = "stablehlo.reduce_window"(%arg0, %arg4) <{window_dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %8 = "stablehlo.sort"(%arg0) <{dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %values, %indices = chlo.top_k(%arg0, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  %9 = "stablehlo.if"(%arg3) ({
    stablehlo.return %arg4 : tensor<f32>
  }, {
    stablehlo.return %arg3 : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return %9 : tensor<f32>
}
// error: op @4: `stablehlo.gather`: C3: `start_index_map` should have 1 entries, one per component of an index
// error: op @5: `stablehlo.gather`: C9, C12: a slice takes 2 positions of dim 0, which is collapsed or batched
// error: op @5: `stablehlo.gather`: C21: a slice of 9 exceeds dim 1 of the operand, which has 8
// error: op @6: `stablehlo.gather`: result 0 should be tensor<6x4xf32>, not tensor<6x8xf32>
// error: op @7: `stablehlo.scatter`: C4: the updates' shape should be [6, 6], not [6, 8]
// error: op @11: `stablehlo.dynamic_slice`: start indices must be integer scalars
// error: op @11: `stablehlo.dynamic_slice`: start indices must all have one type
// error: op @11: `stablehlo.dynamic_slice`: C4: the slice [1, 9] exceeds the operand's shape [4, 8]
// error: op @12: `stablehlo.dynamic_update_slice`: C4: 1 start indices for rank 2
// error: op @12: `stablehlo.dynamic_update_slice`: C6: the update [6, 8] exceeds the operand's shape [4, 8]
// error: op @13: `stablehlo.convolution`: C11: 4 input features do not divide into 3 groups
// error: op @13: `stablehlo.convolution`: C14: the kernel takes 3 input features, not 1
// error: op @13: `stablehlo.convolution`: C15-C16: 8 output features do not divide into 3 groups
// error: op @14: `stablehlo.reduce_window`: C5, C7, C9, C11: sizes, strides and dilations must be positive
// error: op @18: `stablehlo.sort`: C4: `dimension` 2 is out of range for rank 2
// error: op @18: `stablehlo.sort`: C5: the comparator should return one tensor<i1>
// error: op @22: `chlo.top_k`: k = 9 exceeds the last dim, which has 8
// error: op @23: `stablehlo.if`: chooses by a tensor<i1>, not a tensor<i32>
// error: op @23: `stablehlo.if`: branch 1 does not return values of the results' types
