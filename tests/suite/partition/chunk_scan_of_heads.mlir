// test: partition
// More devices than groups of heads: the gradients of the vectors of a group are summed over those that share it.
sdy.mesh @mesh = <["a"=8]>
func.func @main(%x: tensor<4x5x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"a"}, {}]>}, %s: tensor<4x5x8xf32>, %a: tensor<8xf32>,
                %w: tensor<4x5x2x3xf32>, %r: tensor<4x5x2x3xf32>, %g: tensor<4x5x8x6xf32>)
    -> (tensor<4x5x8x6xf32>, tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) {
  %y = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32>
  %d:5 = stablehlo.custom_call @mamba_chunk_scan_combined_bwd(%x, %s, %a, %w, %r, %g) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>, tensor<4x5x8x6xf32>) -> (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>)
  return %y, %d#0, %d#1, %d#2, %d#3, %d#4 : tensor<4x5x8x6xf32>, tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>
}
// expect:
// all_reduce tensor<4x5x1x3xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// all_reduce tensor<4x5x1x3xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<4x5x1x6xf32>, tensor<4x5x1xf32>, tensor<1xf32>, tensor<4x5x1x3xf32>, tensor<4x5x1x3xf32>, tensor<4x5x1x6xf32>) -> (tensor<4x5x1x6xf32>, tensor<4x5x1x6xf32>, tensor<4x5x1xf32>, tensor<4x1xf32>, tensor<4x5x1x3xf32>, tensor<4x5x1x3xf32>)
