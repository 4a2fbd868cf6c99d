// test: propagate
// Groups of heads go from inputs to all that belongs to them; rates have no batches.
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<4x5x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"b"}, {}]>}, %s: tensor<4x5x8xf32>, %a: tensor<8xf32>, %w: tensor<4x5x2x3xf32>, %r: tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32> {
  %y = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32>
  return %y : tensor<4x5x8x6xf32>
}
// expect:
// %x [{"a"}, {}, {"b"}, {}]
// %s [{"a", ?}, {?}, {"b", ?}]
// %a [{"b", ?}]
// %w [{"a", ?}, {?}, {"b", ?}, {?}]
// %r [{"a", ?}, {?}, {"b", ?}, {?}]
// %y [{"a", ?}, {?}, {"b", ?}, {?}]
// result 0 [{"a", ?}, {?}, {"b", ?}, {?}]
