// test: eval
// Complex numbers whose squares leave the range of f64, large powers, and small results of the logistic function.
func.func @main() -> (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<3xf64>, tensor<2xf32>, tensor<2xf64>) {
  %unit = stablehlo.constant dense<(1.0e-200, 0.0)> : tensor<3xcomplex<f64>>
  %z = stablehlo.constant dense<[(0.0, 1.0e-200), (1.0e-200, 1.0e-200), (-3.0e-200, 0.0)]> : tensor<3xcomplex<f64>>
  %sign = stablehlo.sign %z : tensor<3xcomplex<f64>>
  %quotient = stablehlo.divide %z, %unit : tensor<3xcomplex<f64>>
  %root = stablehlo.sqrt %z : tensor<3xcomplex<f64>>
  %half = stablehlo.constant dense<(1.0e-100, 0.0)> : tensor<3xcomplex<f64>>
  %roots = stablehlo.divide %root, %half : tensor<3xcomplex<f64>>
  %a = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0), (0x7FF0000000000000, 0.0), (0x7FF0000000000000, 0.0), (2.0, 0.0)]> : tensor<5xcomplex<f64>>
  %b = stablehlo.constant dense<[(1.0e15, 0.0), (3.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0e12)]> : tensor<5xcomplex<f64>>
  %power = stablehlo.power %a, %b : tensor<5xcomplex<f64>>
  %abs = stablehlo.abs %z : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %large = stablehlo.constant dense<1.0e200> : tensor<3xf64>
  %moduli = stablehlo.multiply %abs, %large : tensor<3xf64>
  %x = stablehlo.constant dense<[-89.0, -87.0]> : tensor<2xf32>
  %logistic = stablehlo.logistic %x : tensor<2xf32>
  %grown = stablehlo.constant dense<1.0e38> : tensor<2xf32>
  %small = stablehlo.multiply %logistic, %grown : tensor<2xf32>
  %y = stablehlo.constant dense<[-710.0, -709.0]> : tensor<2xf64>
  %logistic64 = stablehlo.logistic %y : tensor<2xf64>
  %grown64 = stablehlo.constant dense<1.0e308> : tensor<2xf64>
  %small64 = stablehlo.multiply %logistic64, %grown64 : tensor<2xf64>
  return %sign, %quotient, %roots, %power, %moduli, %small, %small64 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<3xf64>, tensor<2xf32>, tensor<2xf64>
}
// expect:
// tensor<3xcomplex<f64>> [(0.0, 1.0), (0.7071067811865476, 0.7071067811865476), (-1.0, 0.0)]
// tensor<3xcomplex<f64>> [(0.0, 1.0), (1.0, 1.0), (-3.0, 0.0)]
// tensor<3xcomplex<f64>> [(0.7071067811865475, 0.7071067811865475), (1.09868411346781, 0.4550898605622273), (0.0, 1.7320508075688772)]
// tensor<5xcomplex<f64>> [(1.0, 0.0), (0.0, -1.0), (inf, 0.0), (0.0, 0.0), (-0.45844499584057763, 0.888722783430656)]
// tensor<3xf64> [1, 1.41421, 3]
// tensor<2xf32> [0.222736, 1.64581]
// tensor<2xf64> [0.447629, 1.21678]
