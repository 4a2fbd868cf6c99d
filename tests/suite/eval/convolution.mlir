// test: eval
// Strides, padding (negative too), dilation of both operands, reversed windows, groups of both kinds, no spatial dims.
func.func @main() -> (tensor<1x2x2x1xi32>, tensor<3x2x2xi32>, tensor<1x2x2xi32>, tensor<1x4x1xi32>, tensor<2x4x6xi32>, tensor<4x1x4xi32>, tensor<2x4xi32>) {
  %x0 = stablehlo.constant dense<[[[[-1], [4], [-2], [1]], [[3], [-3], [-4], [3]], [[0], [4], [-1], [-1]], [[3], [4], [4], [3]]]]> : tensor<1x4x4x1xi32>
  %k0 = stablehlo.constant dense<[[[[0]], [[2]], [[3]]], [[[-2]], [[-2]], [[2]]], [[[-2]], [[3]], [[1]]]]> : tensor<3x3x1x1xi32>
  %0 = stablehlo.convolution(%x0, %k0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi32>, tensor<3x3x1x1xi32>) -> tensor<1x2x2x1xi32>
  %x1 = stablehlo.constant dense<[[[2, -4, -3, -2, -4], [0, -4, 0, 3, 2], [2, 2, 3, -2, 1]], [[-3, -4, -2, 3, -1], [0, 2, 0, 2, 4], [2, 1, 4, 2, -1]]]> : tensor<2x3x5xi32>
  %k1 = stablehlo.constant dense<[[[-1, 2], [-3, 3], [-1, 1]], [[2, 2], [-2, 2], [3, -1]]]> : tensor<2x3x2xi32>
  %1 = stablehlo.convolution(%x1, %k1) dim_numbers = [b, f, 0]x[o, i, 0]->[0, b, f], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [1], rhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x5xi32>, tensor<2x3x2xi32>) -> tensor<3x2x2xi32>
  %x2 = stablehlo.constant dense<[[[4, -3], [-1, 0], [0, -3], [-3, 3], [3, -3], [1, -3]]]> : tensor<1x6x2xi32>
  %k2 = stablehlo.constant dense<[[[0, -2], [-3, -1]], [[0, 3], [0, 3]]]> : tensor<2x2x2xi32>
  %2 = stablehlo.convolution(%x2, %k2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[-1, -2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x2xi32>, tensor<2x2x2xi32>) -> tensor<1x2x2xi32>
  %x3 = stablehlo.constant dense<[[[-3], [-4]]]> : tensor<1x2x1xi32>
  %k3 = stablehlo.constant dense<[[[1]], [[1]]]> : tensor<2x1x1xi32>
  %3 = stablehlo.convolution(%x3, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[-1, 3]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi32>, tensor<2x1x1xi32>) -> tensor<1x4x1xi32>
  %x4 = stablehlo.constant dense<[[[-4, 2, 1, 4], [0, 4, -1, -4], [0, -4, -3, -3], [4, -4, -1, 2]], [[0, 0, -2, -4], [1, 1, 1, -2], [2, 2, 3, 4], [2, 4, -3, 4]]]> : tensor<2x4x4xi32>
  %k4 = stablehlo.constant dense<[[[-1, 0, 2, 2, 2, -2], [-1, 0, -1, 1, -1, 1]], [[-1, -3, 3, 0, 1, -1], [-3, 0, 1, 1, 2, -2]]]> : tensor<2x2x6xi32>
  %4 = stablehlo.convolution(%x4, %k4) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x4xi32>, tensor<2x2x6xi32>) -> tensor<2x4x6xi32>
  %x5 = stablehlo.constant dense<[[[-4, 1], [3, 1], [1, 0]], [[3, -4], [-4, -4], [1, 0]], [[3, 0], [1, -2], [1, -2]], [[1, 1], [0, 0], [2, -3]]]> : tensor<4x3x2xi32>
  %k5 = stablehlo.constant dense<[[[-1, 2, 3, -2], [0, 3, 3, -2]], [[-3, -1, 2, 2], [-2, 1, 0, -1]], [[-2, 3, -3, -3], [1, -2, -1, 3]], [[3, 3, 1, -2], [3, -1, -1, 3]]]> : tensor<4x2x4xi32>
  %5 = stablehlo.convolution(%x5, %k5) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x3x2xi32>, tensor<4x2x4xi32>) -> tensor<4x1x4xi32>
  %x6 = stablehlo.constant dense<[[-3, 1, -2], [2, 0, 4]]> : tensor<2x3xi32>
  %k6 = stablehlo.constant dense<[[3, 3, -1, 0], [-1, 2, 0, -1], [0, 1, 0, -3]]> : tensor<3x4xi32>
  %6 = stablehlo.convolution(%x6, %k6) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x2x2x1xi32>, tensor<3x2x2xi32>, tensor<1x2x2xi32>, tensor<1x4x1xi32>, tensor<2x4x6xi32>, tensor<4x1x4xi32>, tensor<2x4xi32>
}
// expect:
// tensor<1x2x2x1xi32> [[[[3], [14]], [[10], [-8]]]]
// tensor<3x2x2xi32> [[[14, 6], [-3, -9]], [[-23, -34], [-12, 3]], [[3, 4], [14, 8]]]
// tensor<1x2x2xi32> [[[0, -7], [9, 3]]]
// tensor<1x4x1xi32> [[[-4], [-4], [0], [0]]]
// tensor<2x4x6xi32> [[[-2, 12, -10, 4, 9, -9], [-10, 0, -6, 2, -11, 11], [8, 0, -8, -9, -7, 7], [12, -12, 12, -7, 0, 0]], [[0, 0, 0, -4, -10, 10], [-4, -3, 4, -10, -3, 3], [-10, -6, 9, 4, 15, -15], [-18, -6, 12, 14, 7, -7]]]
// tensor<4x1x4xi32> [[[0, -16, 2, 5]], [[1, 4, 1, -16]], [[12, 13, 6, -19]], [[0, 10, 3, 12]]]
// tensor<2x4xi32> [[-10, -9, 3, 5], [6, 10, -2, -12]]
