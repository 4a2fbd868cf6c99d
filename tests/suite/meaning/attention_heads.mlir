// test: meaning
// A batch of local size one may have taken along what shards the heads of the output that the gradient reads; it stands before
// what these are cut by later.
sdy.mesh @mesh = <["x"=2, "z"=2]>
func.func @main(%q: tensor<1x8x2x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"z", "x"}, {}]>},
                %k: tensor<1x8x1x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"z"}, {}]>},
                %v: tensor<1x8x1x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"z"}, {}]>},
                %sums: tensor<1x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z", "x"}, {}]>},
                %grad: tensor<1x8x2x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"z", "x"}, {}]>},
                %out: tensor<1x4x8x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}, {}, {}]>})
    -> (tensor<1x2x8x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z", "x"}, {}, {}]>}) {
  %0 = stablehlo.reshape %out : (tensor<1x4x8x4xbf16>) -> tensor<1x1x4x8x4xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2, 4] : (tensor<1x1x4x8x4xbf16>) -> tensor<1x8x1x4x4xbf16>
  %2 = stablehlo.reshape %1 : (tensor<1x8x1x4x4xbf16>) -> tensor<1x8x4x4xbf16>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %id = stablehlo.replica_id : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %x = stablehlo.divide %id, %two : tensor<ui32>
  %position = stablehlo.convert %x : (tensor<ui32>) -> tensor<i32>
  %size = stablehlo.constant dense<2> : tensor<i32>
  %start = stablehlo.multiply %position, %size : tensor<i32>
  %own = stablehlo.dynamic_slice %2, %zero, %zero, %start, %zero, sizes = [1, 8, 2, 4] : (tensor<1x8x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x2x4xbf16>
  %grads:4 = stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward(%q, %k, %v, %sums, %grad, %own) {api_version = 2 : i32, backend_config = "{\22operation_queue_id\22: \220\22, \22cudnn_fmha_backend_config\22: {\22algorithm\22: {\22algo_id\22: \220\22, \22math_type\22: \22TENSOR_OP_MATH\22, \22tuning_knobs\22: {\2217\22: \221\22, \2224\22: \220\22}, \22is_cudnn_frontend\22: true, \22workspace_size\22: \220\22}, \22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22element_type\22: \22BF16\22, \22dimensions\22: [\221\22, \222\22, \228\22, \228\22], \22tuple_shapes\22: [], \22layout\22: {\22dim_level_types\22: [], \22dim_unique\22: [], \22dim_ordered\22: [], \22minor_to_major\22: [\223\22, \222\22, \221\22, \220\22], \22tiles\22: [], \22element_size_in_bits\22: \220\22, \22memory_space\22: \220\22, \22index_primitive_type\22: \22PRIMITIVE_TYPE_INVALID\22, \22pointer_primitive_type\22: \22PRIMITIVE_TYPE_INVALID\22, \22dynamic_shape_metadata_prefix_bytes\22: \220\22}, \22is_dynamic_dimension\22: [false, false, false, false]}, \22is_flash_attention\22: true, \22mask_type\22: \22CAUSAL\22, \22bmm1_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\221\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm1_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\221\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm2_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\221\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \222\22], \22rhs_batch_dimensions\22: [\220\22, \222\22]}, \22dropout_rate\22: 0.0, \22seed\22: 42, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}}", operand_layouts = [dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<0> : tensor<1xindex>]} : (tensor<1x8x2x4xbf16>, tensor<1x8x1x4xbf16>, tensor<1x8x1x4xbf16>, tensor<1x2x8xf32>, tensor<1x8x2x4xbf16>, tensor<1x8x2x4xbf16>) -> (tensor<1x2x8x4xbf16>, tensor<1x1x8x4xbf16>, tensor<1x1x8x4xbf16>, tensor<0xui8>)
  return %grads#0 : tensor<1x2x8x4xbf16>
}
// expect:
// %q [{}, {}, {"z", "x"}, {}]
// %k [{}, {}, {"z"}, {}]
// %v [{}, {}, {"z"}, {}]
// %sums [{}, {"z", "x"}, {}]
// %grad [{}, {}, {"z", "x"}, {}]
// %out [{}, {"z"}, {}, {}]
// %0 [{}, {}, {}, {}, {}], "z" in dim 0 or 1 or 2
// %1 [{}, {}, {}, {}, {}], "z" in dim 0 or 2 or 3
// %2 [{}, {}, {}, {}], "z" in dim 0 or 1 or 2
// %zero []
// %id [], own along "x", "z"
// %two []
// %x [], own along "x"
// %position [], own along "x"
// %size []
// %start [], own along "x"
// %own [{}, {}, {"x"}, {}], "z" in dim 0 or 1 or 2
// %grads [{}, {"z", "x"}, {}, {}]
// %grads [{}, {"z"}, {}, {}], partial sum over "x"
// %grads [{}, {"z"}, {}, {}], partial sum over "x"
// %grads [{}]
