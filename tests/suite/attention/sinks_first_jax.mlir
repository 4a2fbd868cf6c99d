// test: attention
// Sinks before the scores, in bf16, without a gradient.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<4xbf16>, %arg4: tensor<32x16xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %7 = stablehlo.reshape %6 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %9 = stablehlo.reshape %8 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %10 = stablehlo.dot_general %1, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %12 = stablehlo.multiply %10, %11 : tensor<2x4x16x16xbf16>
    %13 = stablehlo.iota dim = 0 : tensor<16xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %18 = stablehlo.compare  GE, %16, %17,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %19 = stablehlo.convert %12 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %20 = call @_where(%18, %19, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16x16xf32>
    %21 = stablehlo.convert %arg3 : (tensor<4xbf16>) -> tensor<4xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x16x1xf32>
    %24 = stablehlo.concatenate %23, %20, dim = 3 : (tensor<2x4x16x1xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %28 = stablehlo.subtract %24, %27 : tensor<2x4x16x17xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %31 = stablehlo.maximum %30, %29 : tensor<2x4x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %34 = stablehlo.subtract %28, %33 : tensor<2x4x16x17xf32>
    %35 = stablehlo.exponential %34 : tensor<2x4x16x17xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %39 = stablehlo.divide %35, %38 : tensor<2x4x16x17xf32>
    %40 = stablehlo.slice %39 [0:2, 0:4, 0:16, 1:17] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %41 = stablehlo.convert %40 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %42 = stablehlo.dot_general %9, %41, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %43 = stablehlo.transpose %42, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %44 = stablehlo.reshape %43 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %45 = stablehlo.dot_general %44, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.add %arg5, %45 : tensor<2x16x32xbf16>
    return %46 : tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> tensor<2x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 45: forward
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.353515625 CAUSAL window 0 scores 2x4x16x16
