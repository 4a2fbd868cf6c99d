// test: partition
// The batch as a component of the indices that counts the rows, corrected as if it could be negative: rows stay where they
// are. The last shard of rows is padded.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%cache: tensor<5x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
                %new: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %at: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<5x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
        tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %rows = stablehlo.iota dim = 0 : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<5xi32>
  %five = stablehlo.constant dense<5> : tensor<5xi32>
  %0 = stablehlo.compare LT, %rows, %zero : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %1 = stablehlo.add %rows, %five : tensor<5xi32>
  %2 = stablehlo.select %0, %1, %rows : tensor<5xi1>, tensor<5xi32>
  %3 = stablehlo.reshape %2 : (tensor<5xi32>) -> tensor<5x1xi32>
  %4 = stablehlo.reshape %at : (tensor<5xi32>) -> tensor<5x1xi32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
  %6 = "stablehlo.scatter"(%cache, %5, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<5x6x4xf32>, tensor<5x2xi32>, tensor<5x4xf32>) -> tensor<5x6x4xf32>
  %7 = "stablehlo.gather"(%cache, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5x6x4xf32>, tensor<5x2xi32>) -> tensor<5x4xf32>
  return %6, %7 : tensor<5x6x4xf32>, tensor<5x4xf32>
}
// expect:
// all_reduce tensor<3x4xf32> dense<[[0, 1], [2, 3]]>
// (tensor<3x3x4xf32>, tensor<3x4xf32>, tensor<3xi32>) -> (tensor<3x3x4xf32>, tensor<3x4xf32>)
