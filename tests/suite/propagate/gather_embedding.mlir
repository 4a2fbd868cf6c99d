// test: propagate complete
// An embedding table sharded over its rows: every device looks up what it holds, and the results are summed.
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @embed(%table: tensor<512x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %tokens: tensor<4x6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> tensor<4x6x8xf32> {
  %0 = "stablehlo.gather"(%table, %tokens) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<512x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return %0 : tensor<4x6x8xf32>
}
// expect:
// %table [{"model"}, {}]
// %tokens [{"data"}, {}, {}]
// %0 [{"data"}, {}, {}]    made [{"data"}, {}, {}], unreduced={"model"} from [{"model"}, {}] x [{"data"}, {}, {}]
// result 0 [{"data"}, {}, {}]
