// test: partition
// A scan needs all steps.
sdy.mesh @mesh = <["a"=5]>
func.func @main(%x: tensor<4x5x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {}, {}]>}, %s: tensor<4x5x8xf32>, %a: tensor<8xf32>,
                %w: tensor<4x5x2x3xf32>, %r: tensor<4x5x2x3xf32>, %g: tensor<4x5x8x6xf32>)
    -> (tensor<4x5x8x6xf32>, tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) {
  %y = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32>
  %d:5 = stablehlo.custom_call @mamba_chunk_scan_combined_bwd(%x, %s, %a, %w, %r, %g) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>, tensor<4x5x8x6xf32>) -> (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>)
  return %y, %d#0, %d#1, %d#2, %d#3, %d#4 : tensor<4x5x8x6xf32>, tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>
}
// expect:
// warning: the kernel @mamba_chunk_scan_combined_bwd (a call) needs whole what is sharded over a, whose devices then all compute the same: each gets 3.8 KiB
// warning: the kernel @mamba_chunk_scan_combined_fwd (a call) needs whole what is sharded over a, whose devices then all compute the same: each gets 3.8 KiB
// all_gather tensor<4x5x8x6xf32> dense<[[0, 1, 2, 3, 4]]>
// (tensor<4x1x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>, tensor<4x5x8x6xf32>) -> (tensor<4x5x8x6xf32>, tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>)
