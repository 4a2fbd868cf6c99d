// test: eval
// Ops that stand for others: older and `chlo` forms of broadcasts, lookups, sums of products and normalizations.
func.func @main() -> (tensor<2x3xi32>, tensor<2x2xi1>, tensor<2x2xcomplex<f32>>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<f64>, tensor<2x2xf64>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<2xui8>, tensor<2xi64>) {
  %v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = stablehlo.broadcast %v, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %1 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xi1>
  %2 = chlo.broadcast_complex %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xcomplex<f32>>
  %c = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %d = stablehlo.constant dense<[[0.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf64>
  %3 = stablehlo.einsum %c, %d, config = "ab,bc->ac" : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %4 = stablehlo.einsum %c, %d, config = "...b,...b->b..." : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %5 = stablehlo.unary_einsum %c, config = "aa->a" : (tensor<2x2xf64>) -> tensor<2xf64>
  %6 = stablehlo.einsum %c, %c, config = "ab,cc->" : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<f64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf64>
  %7 = "stablehlo.batch_norm_inference"(%c, %one, %zero, %one, %one) {epsilon = 3.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  %i = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %t = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %8 = "stablehlo.torch_index_select"(%t, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %j = stablehlo.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi32>
  %9 = "stablehlo.torch_index_select"(%t, %j) {dim = -1 : i64, batch_dims = 1 : i64} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %10 = stablehlo.get_dimension_size %v, dim = 0 : (tensor<3xi32>) -> tensor<i32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %11 = "chlo.constant_like"(%u) {value = 255 : ui8} : (tensor<2xui8>) -> tensor<2xui8>
  %12 = chlo.constant dense<[9007199254740993, -1]> : tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x3xi32>, tensor<2x2xi1>, tensor<2x2xcomplex<f32>>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<f64>, tensor<2x2xf64>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<2xui8>, tensor<2xi64>
}
// expect:
// tensor<2x3xi32> [[1, 2, 3], [1, 2, 3]]
// tensor<2x2xi1> [[true, true], [false, false]]
// tensor<2x2xcomplex<f32>> [[(1.0, 2.0), (2.0, 2.0)], [(3.0, 3.0), (4.0, 3.0)]]
// tensor<2x2xf64> [[2, 1], [4, 3]]
// tensor<2x2xf64> [[0, 3], [2, 0]]
// tensor<2xf64> [1, 4]
// tensor<f64> 50
// tensor<2x2xf64> [[0, 0.5], [1, 1.5]]
// tensor<2x2xi32> [[3, 4], [1, 2]]
// tensor<2x2xi32> [[2, 1], [3, 3]]
// tensor<i32> 3
// tensor<2xui8> [255, 255]
// tensor<2xi64> [9007199254740993, -1]
