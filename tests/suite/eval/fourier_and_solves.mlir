// test: eval
// Fourier transforms of a step and back, a system of equations from either side, and a Cholesky factor.
func.func @main() -> (tensor<3xcomplex<f64>>, tensor<4xf64>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<2x2xf32>) {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, 0.0]> : tensor<4xf64>
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [4] : (tensor<3xcomplex<f64>>) -> tensor<4xf64>
  %a = stablehlo.constant dense<[[2.0, 9.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [14.0]]> : tensor<2x1xf32>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = stablehlo.constant dense<[[1.0, 14.0]]> : tensor<1x2xf32>
  %3 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = stablehlo.constant dense<[[4.0, 7.0], [2.0, 10.0]]> : tensor<2x2xf32>
  %4 = stablehlo.cholesky %d, lower = true : tensor<2x2xf32>
  return %0, %1, %2, %3, %4 : tensor<3xcomplex<f64>>, tensor<4xf64>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<2x2xf32>
}
// expect:
// tensor<3xcomplex<f64>> [(2.0, 0.0), (1.0, -1.0), (0.0, 0.0)]
// tensor<4xf64> [1, 1, 0, 0]
// tensor<2x1xf32> [[1], [2]]
// tensor<1x2xf32> [[1, 10]]
// tensor<2x2xf32> [[2, 0], [1, 3]]
