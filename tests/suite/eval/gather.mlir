// test: eval
// Starts are clamped so that slices stay inside; batching dims go along with the indices.
func.func @main() -> (tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x2xi32>, tensor<3xi32>) {
  %t = stablehlo.constant dense<[[0, 1, 2], [10, 11, 12], [20, 21, 22], [30, 31, 32]]> : tensor<4x3xi32>
  %i = stablehlo.constant dense<[[2], [-5], [9]]> : tensor<3x1xi64>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<4x3xi32>, tensor<3x1xi64>) -> tensor<3x2xi32>
  %j = stablehlo.constant dense<[1, 7]> : tensor<2xui8>
  %1 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xi32>, tensor<2xui8>) -> tensor<2x3xi32>
  %k = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi32>
  %2 = "stablehlo.gather"(%t, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0]>, slice_sizes = array<i64: 2, 1>}> : (tensor<4x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %l = stablehlo.constant dense<[[3], [0], [1]]> : tensor<3x1xi32>
  %3 = "stablehlo.gather"(%t, %l) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
  return %0, %1, %2, %3 : tensor<3x2xi32>, tensor<2x3xi32>, tensor<2x2xi32>, tensor<3xi32>
}
// expect:
// tensor<3x2xi32> [[20, 21], [0, 1], [30, 31]]
// tensor<2x3xi32> [[10, 11, 12], [30, 31, 32]]
// tensor<2x2xi32> [[21, 2], [31, 12]]
// tensor<3xi32> [30, 1, 12]
