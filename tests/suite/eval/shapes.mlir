// test: eval
// Ops that only move elements.
func.func @main() -> (tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x3xi32>, tensor<4x3xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x3xbf16>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %2 = stablehlo.reverse %x, dims = [1] : tensor<2x3xi32>
  %3 = stablehlo.concatenate %x, %2, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  %4 = stablehlo.reshape %2 : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %5 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x2x3xi32>
  %6 = stablehlo.iota dim = 1 : tensor<2x3xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x3xi32>, tensor<4x3xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x3xbf16>
}
// expect:
// tensor<3x2xi32> [[1, 4], [2, 5], [3, 6]]
// tensor<2x2xi32> [[1, 3], [4, 6]]
// tensor<2x3xi32> [[3, 2, 1], [6, 5, 4]]
// tensor<4x3xi32> [[1, 2, 3], [4, 5, 6], [3, 2, 1], [6, 5, 4]]
// tensor<3x2xi32> [[3, 2], [1, 6], [5, 4]]
// tensor<2x2x3xi32> [[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]]
// tensor<2x3xbf16> [[0, 1, 2], [0, 1, 2]]
