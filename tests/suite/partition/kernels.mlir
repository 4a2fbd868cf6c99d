// test: partition
// Kernels sharded over batches and heads; what their configuration says of sizes follows.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                %q: tensor<4x16x8x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>},
                %k: tensor<4x16x2x32xbf16>, %v: tensor<4x16x2x32xbf16>)
    -> (tensor<4x3x3xf32>, tensor<4xi32>, tensor<4x8x16x32xbf16>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}} : (tensor<4x3x3xf32>) -> (tensor<4x3x3xf32>, tensor<4xi32>)
  %1:2 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %k, %v) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\224\22, \228\22, \2216\22, \2216\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}"} : (tensor<4x16x8x32xbf16>, tensor<4x16x2x32xbf16>, tensor<4x16x2x32xbf16>) -> (tensor<4x8x16x32xbf16>, tensor<0xui8>)
  return %0#0, %0#1, %1#0 : tensor<4x3x3xf32>, tensor<4xi32>, tensor<4x8x16x32xbf16>
}
// expect: (tensor<2x3x3xf32>, tensor<2x16x4x32xbf16>, tensor<2x16x1x32xbf16>, tensor<2x16x1x32xbf16>) -> (tensor<2x3x3xf32>, tensor<2xi32>, tensor<2x4x16x32xbf16>)
