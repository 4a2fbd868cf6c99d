// test: partition
// Each row of a batch writes to its own place of a cache that is sharded along the positions. A start that is surely zero
// leaves the heads alone, whoever computes it, and nothing is sent. Places behind the end are left out.
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%cache: tensor<4x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
                %new: tensor<4x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"z"}]>},
                %at: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<4x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %at, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %most = stablehlo.constant dense<[9, 0]> : tensor<2xi32>
  %3 = stablehlo.broadcast_in_dim %most, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
  %4 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
  %5 = stablehlo.clamp %4, %2, %3 : tensor<4x2xi32>
  %6 = "stablehlo.scatter"(%cache, %5, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x7x4xf32>, tensor<4x2xi32>, tensor<4x1x4xf32>) -> tensor<4x7x4xf32>
  return %6 : tensor<4x7x4xf32>
}
// expect: (tensor<2x4x2xf32>, tensor<2x1x2xf32>, tensor<2xi32>) -> (tensor<2x4x2xf32>)
