// test: roundtrip
// Complex numbers, transforms and linear solves.
func.func @main(%a: tensor<2x8xf32>, %b: tensor<4x4xcomplex<f64>>, %c: tensor<4x2xcomplex<f64>>) -> tensor<2x8xf32> {
  %0 = stablehlo.complex %a, %a : tensor<2x8xcomplex<f32>>
  %1 = stablehlo.complex %a, %a : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
  %3 = stablehlo.imag %a : tensor<2x8xf32>
  %4 = stablehlo.fft %2, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %5 = "stablehlo.fft"(%4) <{fft_length = array<i64: 2, 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  %6 = stablehlo.cholesky %b, lower = true : tensor<4x4xcomplex<f64>>
  %7 = stablehlo.cholesky %6 : tensor<4x4xcomplex<f64>>
  %8 = "stablehlo.triangular_solve"(%7, %c) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<4x4xcomplex<f64>>, tensor<4x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>>
  %cst = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  return %5 : tensor<2x8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<2x8xf32>, %arg1: tensor<4x4xcomplex<f64>>, %arg2: tensor<4x2xcomplex<f64>>) -> tensor<2x8xf32> {
//     %0 = stablehlo.complex %arg0, %arg0 : tensor<2x8xcomplex<f32>>
//     %1 = stablehlo.complex %arg0, %arg0 : tensor<2x8xcomplex<f32>>
//     %2 = stablehlo.real %1 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
//     %3 = stablehlo.imag %arg0 : tensor<2x8xf32>
//     %4 = stablehlo.fft %2, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
//     %5 = stablehlo.fft %4, type = IRFFT, length = [2, 8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
//     %6 = stablehlo.cholesky %arg1, lower = true : tensor<4x4xcomplex<f64>>
//     %7 = stablehlo.cholesky %6 : tensor<4x4xcomplex<f64>>
//     %8 = "stablehlo.triangular_solve"(%7, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<4x4xcomplex<f64>>, tensor<4x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>>
//     %cst = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>
//     return %5 : tensor<2x8xf32>
//   }
// }
