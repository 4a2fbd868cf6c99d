// test: verify
// Types of complex numbers, transforms, linear solves and random numbers.
func.func @main(%a: tensor<2x8xf32>, %b: tensor<4x4xf64>, %c: tensor<4x2xf32>, %d: tensor<2x5xcomplex<f32>>, %i: tensor<3xi32>, %k: tensor<3xui64>, %e: tensor<f32>, %s: tensor<2xi64>) {
  %0 = stablehlo.complex %i, %i : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xcomplex<f32>>
  %1 = stablehlo.complex %a, %c : (tensor<2x8xf32>, tensor<4x2xf32>) -> tensor<2x8xcomplex<f64>>
  %2 = stablehlo.real %d : tensor<2x5xcomplex<f32>>
  %3 = stablehlo.fft %a, type = RFFT, length = [7] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %4 = stablehlo.fft %d, type = IRFFT, length = [3, 9] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  %5 = stablehlo.fft %a, type = FFT, length = [2, 2, 2, 2] : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %6 = stablehlo.cholesky %a : tensor<2x8xf32>
  %7 = "stablehlo.triangular_solve"(%b, %c) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %8:2 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<2xui64>, tensor<i1>)
  %9 = stablehlo.rng %e, %e, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3xf32>
  %10 = chlo.zeta %i, %i : tensor<3xi32>, tensor<3xi32> -> tensor<3xf32>
  %11 = chlo._asin_acos_kernel %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return
}
// error: op @4: `stablehlo.complex`: does not take elements of i32
// error: op @5: `stablehlo.complex`: C1: the parts should be of one type, not tensor<2x8xf32> and tensor<4x2xf32>
// error: op @5: `stablehlo.complex`: result 0 should be tensor<2x8xcomplex<f32>>, not tensor<2x8xcomplex<f64>>
// error: op @6: `stablehlo.real`: result 0 should be tensor<2x5xf32>, not tensor<2x5xcomplex<f32>>
// error: op @7: `stablehlo.fft`: C4: the innermost dims should be [7], not [8]
// error: op @7: `stablehlo.fft`: result 0 should be tensor<2x4xcomplex<f32>>, not tensor<2x5xcomplex<f32>>
// error: op @8: `stablehlo.fft`: C4: the transformed dims should be [3], not [2]
// error: op @8: `stablehlo.fft`: result 0 should be tensor<2x9xf32>, not tensor<2x8xf32>
// error: op @9: `stablehlo.fft`: C3: transforms 1 to 3 dims, not 4
// error: op @9: `stablehlo.fft`: C1: transforms 4 dims of a tensor with 2
// error: op @9: `stablehlo.fft`: C2: FFT takes complex numbers, not f32
// error: op @10: `stablehlo.cholesky`: C3: the matrix tensor<2x8xf32> is not square
// error: op @11: `stablehlo.triangular_solve`: C1: elements of f64 and f32
// error: op @11: `stablehlo.triangular_solve`: C3: tensor<4x4xf64> cannot be solved for tensor<4x2xf32>
// error: op @12: `stablehlo.rng_bit_generator`: generates integers or floats of a state of integers
// error: op @12: `stablehlo.rng_bit_generator`: C2: THREE_FRY does not take a state of tensor<3xui64>
// error: op @12: `stablehlo.rng_bit_generator`: result 0 should be tensor<3xui64>, not tensor<2xui64>
// error: op @13: `stablehlo.rng`: C3: the result tensor<3xf32> is not of the shape that is asked for
// error: op @14: `chlo.zeta`: does not take elements of i32
// error: op @14: `chlo.zeta`: result 0 should be tensor<3xi32>, not tensor<3xf32>
// error: op @15: `chlo._asin_acos_kernel`: does not take elements of f32
