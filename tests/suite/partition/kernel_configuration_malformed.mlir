// test: partition
// Sizes are written where a configuration has sizes; what is no list of sizes stays as it is.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%q: tensor<4x16x8x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}, %k: tensor<4x16x2x32xbf16>, %v: tensor<4x16x2x32xbf16>) -> tensor<4x8x16x32xbf16> {
  %0:2 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %k, %v) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22dimensions\22\22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}}"} : (tensor<4x16x8x32xbf16>, tensor<4x16x2x32xbf16>, tensor<4x16x2x32xbf16>) -> (tensor<4x8x16x32xbf16>, tensor<0xui8>)
  return %0#0 : tensor<4x8x16x32xbf16>
}
// expect: (tensor<2x16x8x32xbf16>, tensor<2x16x2x32xbf16>, tensor<2x16x2x32xbf16>) -> (tensor<2x8x16x32xbf16>)
