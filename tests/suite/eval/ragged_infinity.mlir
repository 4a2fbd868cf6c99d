// test: eval
// What is infinite in one group's matrix, or in its part of the contracted dim, is not seen by the others.
func.func @main() -> (tensor<2x1xf32>, tensor<2x1x1xf32>) {
  %rows = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %matrices = stablehlo.constant dense<[[[1.0], [1.0]], [[0x7F800000], [1.0]]]> : tensor<2x2x1xf32>
  %sizes = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%rows, %matrices, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<2x2xf32>, tensor<2x2x1xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  %left = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %right = stablehlo.constant dense<[[1.0], [0x7F800000]]> : tensor<2x1xf32>
  %1 = "chlo.ragged_dot"(%left, %right, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>} : (tensor<1x2xf32>, tensor<2x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  return %0, %1 : tensor<2x1xf32>, tensor<2x1x1xf32>
}
// expect:
// tensor<2x1xf32> [[3], [inf]]
// tensor<2x1x1xf32> [[[1]], [[inf]]]
