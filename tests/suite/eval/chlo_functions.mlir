// test: eval
// The special functions of the chlo dialect, at points where tables have them.
func.func @main() -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xi1>, tensor<3xf64>, tensor<3xi32>, tensor<3xcomplex<f64>>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[0.5, 1.0, 2.5]> : tensor<3xf64>
  %u = stablehlo.constant dense<[-0.5, 0.0, 0.9]> : tensor<3xf64>
  %n = stablehlo.constant dense<[1.0, 2.0, 100.0]> : tensor<3xf64>
  %q = stablehlo.constant dense<[2.0, 3.0, 1.5]> : tensor<3xf64>
  %i = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 1.0]> : tensor<3xf64>
  %k = stablehlo.constant dense<[1000000, -1000000, 7]> : tensor<3xi32>
  %c = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0), (3.0, 0.0)]> : tensor<3xcomplex<f64>>
  %lgamma = chlo.lgamma %x : tensor<3xf64> -> tensor<3xf64>
  %digamma = chlo.digamma %x : tensor<3xf64> -> tensor<3xf64>
  %bessel = chlo.bessel_i1e %x : tensor<3xf64> -> tensor<3xf64>
  %erf_inv = chlo.erf_inv %u : tensor<3xf64> -> tensor<3xf64>
  %erfc = chlo.erfc %x : tensor<3xf64> -> tensor<3xf64>
  %polygamma = chlo.polygamma %n, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  %zeta = chlo.zeta %q, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  %asin = chlo.asin %u : tensor<3xf64> -> tensor<3xf64>
  %atanh = chlo.atanh %u : tensor<3xf64> -> tensor<3xf64>
  %acosh = chlo.acosh %x : tensor<3xf64> -> tensor<3xf64>
  %is_inf = chlo.is_neg_inf %i : tensor<3xf64> -> tensor<3xi1>
  %square = chlo.square %i : tensor<3xf64> -> tensor<3xf64>
  %mulhi = chlo.mulhi %k, %k : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  %conj = chlo.conj %c : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %a = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %next = chlo.next_after %a, %b : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return %lgamma, %digamma, %bessel, %erf_inv, %erfc, %polygamma, %zeta, %asin, %atanh, %acosh, %is_inf, %square, %mulhi, %conj, %next : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xi1>, tensor<3xf64>, tensor<3xi32>, tensor<3xcomplex<f64>>, tensor<3xf32>
}
// expect:
// tensor<3xf64> [0.572365, 0, 0.284683]
// tensor<3xf64> [-1.96351, -0.577216, 0.703157]
// tensor<3xf64> [0.156421, 0.20791, 0.206585]
// tensor<3xf64> [-0.476936, 0, 1.16309]
// tensor<3xf64> [0.4795, 0.157299, 0.000406952]
// tensor<3xf64> [4.9348, -2.40411, -5998780000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000]
// tensor<3xf64> [4.9348, 1.20206, 1.40378]
// tensor<3xf64> [-0.523599, 0, 1.11977]
// tensor<3xf64> [-0.549306, 0, 1.47222]
// tensor<3xf64> [NaN, 0, 1.5668]
// tensor<3xi1> [false, true, false]
// tensor<3xf64> [inf, inf, 1]
// tensor<3xi32> [232, 232, 0]
// tensor<3xcomplex<f64>> [(1.0, -2.0), (0.0, 1.0), (3.0, -0.0)]
// tensor<3xf32> [-0.0000000000000000000000000000000000000000000014013, 1, -1]
