// test: attention
// Attention with sinks and a window in JAX, keys repeated for each query head, the largest score taken off twice; with its gradient.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<4xf32>, %arg4: tensor<32x16xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<32x16xbf16> {jax.result_info = "result[0]['k']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['o']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['q']"}, tensor<4xf32> {jax.result_info = "result[0]['s']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['v']"}, tensor<2x16x32xbf16> {jax.result_info = "result[1]"}) {
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
    %19 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %20 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %23 = stablehlo.subtract %21, %22 : tensor<16x16xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %25 = stablehlo.compare  LT, %23, %24,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %26 = stablehlo.and %18, %25 : tensor<16x16xi1>
    %27 = stablehlo.convert %12 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %28:2 = call @_where(%26, %27, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %29 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x16x1xf32>
    %31 = stablehlo.concatenate %28#0, %30, dim = 3 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %35 = stablehlo.subtract %31, %34 : tensor<2x4x16x17xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %38 = stablehlo.maximum %37, %36 : tensor<2x4x16xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %41 = stablehlo.subtract %35, %40 : tensor<2x4x16x17xf32>
    %42 = stablehlo.exponential %41 : tensor<2x4x16x17xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %46 = stablehlo.divide %42, %45 : tensor<2x4x16x17xf32>
    %47 = stablehlo.multiply %44, %44 : tensor<2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %49 = stablehlo.divide %48, %47 : tensor<2x4x16x1xf32>
    %50 = stablehlo.slice %46 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %51 = stablehlo.convert %50 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %52 = stablehlo.dot_general %9, %51, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %53 = stablehlo.transpose %52, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %54 = stablehlo.reshape %53 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %55 = stablehlo.dot_general %54, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.add %arg5, %55 : tensor<2x16x32xbf16>
    %57 = stablehlo.convert %56 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %60 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %62 = stablehlo.multiply %61, %59 : tensor<2x16x32xf32>
    %63 = stablehlo.convert %62 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %64 = stablehlo.dot_general %63, %54, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %65 = stablehlo.transpose %64, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %66 = stablehlo.dot_general %63, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %67 = stablehlo.reshape %66 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %68 = stablehlo.transpose %67, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %69 = stablehlo.dot_general %68, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %70 = stablehlo.dot_general %68, %51, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %71 = stablehlo.transpose %70, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %72 = stablehlo.convert %69 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.pad %72, %cst_9, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16x17xf32>
    %74 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %75 = stablehlo.multiply %73, %74 : tensor<2x4x16x17xf32>
    %76 = stablehlo.multiply %75, %42 : tensor<2x4x16x17xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %78 = stablehlo.reshape %77 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %79 = stablehlo.negate %78 : tensor<2x4x16x1xf32>
    %80 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %81 = stablehlo.divide %73, %80 : tensor<2x4x16x17xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%79 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x17xf32>
    %84 = stablehlo.add %81, %83 : tensor<2x4x16x17xf32>
    %85 = stablehlo.multiply %84, %42 : tensor<2x4x16x17xf32>
    %86 = stablehlo.slice %85 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %87 = stablehlo.slice %85 [0:2, 0:4, 0:16, 16:17] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_12) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<4xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%89 init: %cst_13) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x4x1x1xf32>, tensor<f32>) -> tensor<4xf32>
    %91 = call @_where_38(%28#1, %86) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %92 = stablehlo.convert %91 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %93 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %94 = stablehlo.multiply %92, %93 : tensor<2x4x16x16xbf16>
    %95 = stablehlo.dot_general %94, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %96 = stablehlo.transpose %95, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %97 = stablehlo.dot_general %94, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %99 = stablehlo.reshape %71 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %100 = stablehlo.reduce(%99 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %101 = stablehlo.reshape %96 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %102 = stablehlo.reduce(%101 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %103 = stablehlo.reshape %100 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %104 = stablehlo.dot_general %103, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %105 = stablehlo.transpose %104, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %106 = stablehlo.dot_general %103, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %107 = stablehlo.add %63, %106 : tensor<2x16x32xbf16>
    %108 = stablehlo.reshape %102 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %109 = stablehlo.dot_general %108, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %110 = stablehlo.transpose %109, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %111 = stablehlo.dot_general %108, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %112 = stablehlo.add %107, %111 : tensor<2x16x32xbf16>
    %113 = stablehlo.reshape %98 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %114 = stablehlo.dot_general %113, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %115 = stablehlo.transpose %114, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %116 = stablehlo.dot_general %113, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %117 = stablehlo.add %112, %116 : tensor<2x16x32xbf16>
    return %110, %65, %115, %90, %105, %117 : tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2, %0 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_38(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 53: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.353515625 CAUSAL window 5 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 CAUSAL window 5 scores 2x4x16x16
