// test: partition
// Eight query heads over eight devices, of which four share each of two key heads: a device has one query head and the key
// head that it goes with. What the four add to the gradient of a key head is summed.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%q: tensor<2x16x8x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x", "y"}, {}]>},
                %k: tensor<2x16x2x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>},
                %v: tensor<2x16x2x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>},
                %g: tensor<2x16x8x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x", "y"}, {}]>})
    -> (tensor<2x8x16x32xbf16>, tensor<2x8x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>) {
  %0:3 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %k, %v) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \228\22, \2216\22, \2216\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1}"} : (tensor<2x16x8x32xbf16>, tensor<2x16x2x32xbf16>, tensor<2x16x2x32xbf16>) -> (tensor<2x8x16x32xbf16>, tensor<2x8x16xf32>, tensor<0xui8>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1, 3] : (tensor<2x8x16x32xbf16>) -> tensor<2x16x8x32xbf16>
  %2:4 = stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward(%q, %k, %v, %0#1, %g, %1) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \228\22, \2216\22, \2216\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1}"} : (tensor<2x16x8x32xbf16>, tensor<2x16x2x32xbf16>, tensor<2x16x2x32xbf16>, tensor<2x8x16xf32>, tensor<2x16x8x32xbf16>, tensor<2x16x8x32xbf16>) -> (tensor<2x8x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<0xui8>)
  return %0#0, %2#0, %2#1, %2#2 : tensor<2x8x16x32xbf16>, tensor<2x8x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>
}
// expect:
// all_reduce tensor<2x1x16x32xbf16> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// all_reduce tensor<2x1x16x32xbf16> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<2x16x1x32xbf16>, tensor<2x16x1x32xbf16>, tensor<2x16x1x32xbf16>, tensor<2x16x1x32xbf16>) -> (tensor<2x1x16x32xbf16>, tensor<2x1x16x32xbf16>, tensor<2x1x16x32xbf16>, tensor<2x1x16x32xbf16>)
