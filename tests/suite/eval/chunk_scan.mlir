// test: eval
// The scan of Mamba-2 with two heads in a group: steps of ln 2 over a rate of -1 halve the state of the token before, a rate of
// zero keeps it. Gradients of the last result alone.
func.func @main() -> (tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64>, tensor<1x3x2xf64>, tensor<1x2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x1x2xf64>) {
  %x = stablehlo.constant dense<[[[[1.0], [1.0]], [[2.0], [2.0]], [[0.0], [0.0]]]]> : tensor<1x3x2x1xf64>
  %s = stablehlo.constant dense<[[[1.0, 1.0], [2.0, 2.0], [1.0, 1.0]]]> : tensor<1x3x2xf64>
  %a = stablehlo.constant dense<[-0.69314718055994529, 0.0]> : tensor<2xf64>
  %w = stablehlo.constant dense<[[[[1.0, 1.0]], [[1.0, 0.5]], [[0.0, 0.0]]]]> : tensor<1x3x1x2xf64>
  %r = stablehlo.constant dense<[[[[1.0, 0.0]], [[1.0, 0.0]], [[1.0, 100.0]]]]> : tensor<1x3x1x2xf64>
  %y = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<1x3x2x1xf64>, tensor<1x3x2xf64>, tensor<2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x1x2xf64>) -> tensor<1x3x2x1xf64>
  %g = stablehlo.constant dense<[[[[0.0], [0.0]], [[0.0], [0.0]], [[1.0], [1.0]]]]> : tensor<1x3x2x1xf64>
  %d:5 = stablehlo.custom_call @mamba_chunk_scan_combined_bwd(%x, %s, %a, %w, %r, %g) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<1x3x2x1xf64>, tensor<1x3x2xf64>, tensor<2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x2x1xf64>) -> (tensor<1x3x2x1xf64>, tensor<1x3x2xf64>, tensor<1x2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x1x2xf64>)
  return %y, %d#0, %d#1, %d#2, %d#3, %d#4 : tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64>, tensor<1x3x2xf64>, tensor<1x2xf64>, tensor<1x3x1x2xf64>, tensor<1x3x1x2xf64>
}
// expect:
// tensor<1x3x2x1xf64> [[[[1], [1]], [[4.25], [5]], [[114.625], [305]]]]
// tensor<1x3x2x1xf64> [[[[12.625], [101]], [[51], [102]], [[0], [0]]]]
// tensor<1x3x2xf64> [[[12.625, 101], [42.249, 102], [-79.452, 0]]]
// tensor<1x2xf64> [[139.875, 507]]
// tensor<1x3x1x2xf64> [[[[1.125, 112.5]], [[6, 600]], [[0, 0]]]]
// tensor<1x3x1x2xf64> [[[[0, 0]], [[0, 0]], [[7.125, 4.125]]]]
