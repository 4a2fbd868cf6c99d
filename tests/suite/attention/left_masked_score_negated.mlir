// test: attention
// What stands in the place of hidden scores is negated behind it: it is large, and hides nothing.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %7 = stablehlo.convert %6 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.sqrt %cst : tensor<f32>
    %9 = stablehlo.convert %8 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %13 = call @tril(%12) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-1.0e9> : tensor<f32>
    %14 = call @_where(%13, %11, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16x16xf32>
    %s0 = stablehlo.constant dense<-1.0> : tensor<f32>
    %s1 = stablehlo.broadcast_in_dim %s0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %s2 = stablehlo.multiply %14, %s1 : tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%s2 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %20 = stablehlo.subtract %s2, %19 : tensor<2x4x16x16xf32>
    %21 = stablehlo.exponential %20 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x4x16x16xf32>
    %26 = stablehlo.convert %25 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %27 = stablehlo.dot_general %5, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %29 = stablehlo.reshape %28 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.dot_general %29, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %31 = stablehlo.add %arg4, %30 : tensor<2x16x32xbf16>
    return %31 : tensor<2x16x32xbf16>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> tensor<2x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2 : tensor<2x4x16x16xf32>
  }
}
// expect: line 34: left, as its mask or bias has a form that the kernel does not take
