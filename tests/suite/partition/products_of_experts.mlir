// test: partition ints=0..3
// Matrices of experts that are sharded: each device multiplies with its own, and the products are added.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %experts: tensor<4x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %sizes: tensor<4xi32>) -> (tensor<8x6xf32>, tensor<4x4x4xf32>) {
  %0 = "chlo.ragged_dot"(%rows, %experts, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<8x4xf32>, tensor<4x4x6xf32>, tensor<4xi32>) -> tensor<8x6xf32>
  %1 = "chlo.ragged_dot"(%rows, %rows, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xi32>) -> tensor<4x4x4xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<4x4x4xf32>
}
// expect:
// all_gather tensor<4xi64> dense<[[0, 2], [1, 3]]>
// all_reduce tensor<4x6xf32> dense<[[0, 2], [1, 3]]>
// all_gather tensor<4xi64> dense<[[0, 2], [1, 3]]>
// all_reduce tensor<2x4x4xf32> dense<[[0, 1], [2, 3]]>
// (tensor<4x4xf32>, tensor<2x4x6xf32>, tensor<2xi32>) -> (tensor<4x6xf32>, tensor<2x4x4xf32>)
