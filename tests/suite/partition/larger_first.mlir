// test: partition
// A small table of indices is sharded by the axis that shards the heads of a large pool: the pool's rows are not moved for
// it, only the indices are gathered.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%pool: tensor<32x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %table: tensor<4x6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.gather"(%pool, %table) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8, 16>}> : (tensor<32x8x16xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<4x6x8x16xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x6x8x16xf32>, tensor<f32>) -> tensor<4x8x16xf32>
  return %2 : tensor<4x8x16xf32>
}
// expect:
// all_gather tensor<4x6x1xi32> dense<[[0, 1, 2, 3]]>
// (tensor<32x2x16xf32>, tensor<1x6x1xi32>) -> (tensor<4x2x16xf32>)
