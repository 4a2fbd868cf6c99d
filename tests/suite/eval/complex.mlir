// test: eval
// Complex numbers: arithmetic, parts, conversions, lexicographic order, products and sums.
func.func @main() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f64>>, tensor<2xi32>, tensor<3xcomplex<f64>>, tensor<3xi1>, tensor<complex<f32>>, tensor<1x1xcomplex<f32>>) {
  %a = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(0.0, 1.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %sum = stablehlo.add %a, %b : tensor<2xcomplex<f32>>
  %product = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
  %quotient = stablehlo.divide %a, %b : tensor<2xcomplex<f32>>
  %abs = stablehlo.abs %b : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %imag = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %re = stablehlo.constant dense<[0.5, 1.5]> : tensor<2xf64>
  %made = stablehlo.complex %re, %re : tensor<2xcomplex<f64>>
  %int = stablehlo.convert %a : (tensor<2xcomplex<f32>>) -> tensor<2xi32>
  %z = stablehlo.constant dense<[(1.0, 1.0), (0.0, 5.0), (1.0, -1.0)]> : tensor<3xcomplex<f64>>
  %sorted = "stablehlo.sort"(%z) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<complex<f64>>, %y: tensor<complex<f64>>):
    %less = stablehlo.compare LT, %x, %y : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %same = stablehlo.compare EQ, %z, %sorted : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %total = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %row = stablehlo.reshape %a : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
  %column = stablehlo.reshape %b : (tensor<2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %dot = stablehlo.dot_general %row, %column, contracting_dims = [1] x [0] : (tensor<1x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  return %sum, %product, %quotient, %abs, %imag, %made, %int, %sorted, %same, %total, %dot : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f64>>, tensor<2xi32>, tensor<3xcomplex<f64>>, tensor<3xi1>, tensor<complex<f32>>, tensor<1x1xcomplex<f32>>
}
// expect:
// tensor<2xcomplex<f32>> [(1.0, 3.0), (0.0, 0.0)]
// tensor<2xcomplex<f32>> [(-2.0, 1.0), (7.0, 24.0)]
// tensor<2xcomplex<f32>> [(2.0, -1.0), (-1.0, 0.0)]
// tensor<2xf32> [1, 5]
// tensor<2xf32> [2, 4]
// tensor<2xcomplex<f64>> [(0.5, 0.5), (1.5, 1.5)]
// tensor<2xi32> [1, -3]
// tensor<3xcomplex<f64>> [(0.0, 5.0), (1.0, -1.0), (1.0, 1.0)]
// tensor<3xi1> [false, false, false]
// tensor<complex<f32>> (-2.0, 6.0)
// tensor<1x1xcomplex<f32>> [[(5.0, 25.0)]]
