// test: partition
// Each row of a batch reads its own place of a cache that is sharded along the positions: one sum over those that share
// them, whether the slice keeps the dim or not.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%cache: tensor<4x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
                %at: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
        tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.gather"(%cache, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<4x7x3xf32>, tensor<4x1xi32>) -> tensor<4x1x3xf32>
  %1 = "stablehlo.gather"(%cache, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<4x7x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x1x3xf32>, tensor<4x3xf32>
}
// expect:
// all_reduce tensor<2x1x3xf32> dense<[[0, 1], [2, 3]]>
// all_reduce tensor<2x3xf32> dense<[[0, 1], [2, 3]]>
// (tensor<2x4x3xf32>, tensor<2x1xi32>) -> (tensor<2x1x3xf32>, tensor<2x3xf32>)
