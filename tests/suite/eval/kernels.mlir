// test: eval
// Kernels that have a reference: LAPACK's factorizations, and cuDNN's attention beside the same in plain ops.
func.func @main() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[[2.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<0> : tensor<i32>
  %bad = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %1:2 = stablehlo.custom_call @cusolver_potrf_ffi(%bad) {api_version = 4 : i32, backend_config = {lower = true}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %1#1, dense<2> : tensor<i32>
  %m = stablehlo.constant dense<[[1.0, 2.0], [4.0, 4.0]]> : tensor<2x2xf64>
  %2:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%m) {api_version = 4 : i32, backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %2#0, dense<[[4.0, 4.0], [0.25, 1.0]]> : tensor<2x2xf64>
  check.expect_eq_const %2#1, dense<[2, 2]> : tensor<2xi32>
  %h = stablehlo.constant dense<[[3.0, 1.0], [4.0, 2.0]]> : tensor<2x2xf64>
  %3:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%h) {api_version = 4 : i32, backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %3#0, dense<[[-5.0, -2.2], [0.5, 0.4]]> : tensor<2x2xf64>
  check.expect_almost_eq_const %3#1, dense<[1.6, 0.0]> : tensor<2xf64>
  %4 = stablehlo.custom_call @lapack_dorgqr_ffi(%3#0, %3#1) {api_version = 4 : i32, backend_config = {}} : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_almost_eq_const %4, dense<[[-0.6, -0.8], [-0.8, 0.6]]> : tensor<2x2xf64>
  %5:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %5#1, dense<[2.4384472, 6.5615528]> : tensor<2xf32>

  %q = stablehlo.constant dense<[[[[1.0, 2.0]], [[0.5, -1.0]]]]> : tensor<1x2x1x2xf32>
  %k = stablehlo.constant dense<[[[[0.25, 1.0]], [[2.0, 0.0]]]]> : tensor<1x2x1x2xf32>
  %v = stablehlo.constant dense<[[[[1.0, 10.0]], [[3.0, -10.0]]]]> : tensor<1x2x1x2xf32>
  %6:3 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %k, %v) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\221\22, \221\22, \222\22, \222\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}"} : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2xf32>, tensor<0xui8>)
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x1x2x2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<1x1x2x2xf32>
  %mask = stablehlo.constant dense<[[[[0.0, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %scaled = stablehlo.multiply %scores, %half : tensor<1x1x2x2xf32>
  %masked = stablehlo.add %scaled, %mask : tensor<1x1x2x2xf32>
  %e = stablehlo.exponential %masked : tensor<1x1x2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
  %log = stablehlo.log %sum : tensor<1x1x2xf32>
  check.expect_almost_eq %6#1, %log : tensor<1x1x2xf32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x1x2x2xf32>
  %p = stablehlo.divide %e, %wide : tensor<1x1x2x2xf32>
  %out = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<1x1x2x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_almost_eq %6#0, %out : tensor<1x1x2x2xf32>
  return %0#0 : tensor<2x2xf32>
}
// expect: tensor<2x2xf32> [[2, 2], [1, 2]]
