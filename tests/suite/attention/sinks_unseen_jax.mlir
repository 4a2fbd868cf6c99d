// test: attention
// A mask that depends on data may leave a query no key: the sink takes all then, and its output is zero.
module @jit_masked attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<4xf32>, %arg4: tensor<32x16xbf16>, %arg5: tensor<2x16x32xbf16>, %arg6: tensor<2x16xi1>) -> (tensor<32x16xbf16> {jax.result_info = "result[0]['k']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['o']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['q']"}, tensor<4xf32> {jax.result_info = "result[0]['s']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['v']"}, tensor<2x16x32xbf16> {jax.result_info = "result[1]"}) {
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
    %13 = stablehlo.broadcast_in_dim %arg6, dims = [0, 2] : (tensor<2x16xi1>) -> tensor<2x1x16x1xi1>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %15 = stablehlo.broadcast_in_dim %14, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %16 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x1x16x1xi1>) -> tensor<2x1x16x16xi1>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x1x16x16xi1>
    %18 = stablehlo.and %16, %17 : tensor<2x1x16x16xi1>
    %19 = stablehlo.convert %12 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %20:2 = call @_where(%18, %19, %cst_0) : (tensor<2x1x16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %21 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.concatenate %20#0, %22, dim = 3 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %27 = stablehlo.subtract %23, %26 : tensor<2x4x16x17xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %30 = stablehlo.maximum %29, %28 : tensor<2x4x16xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %33 = stablehlo.subtract %27, %32 : tensor<2x4x16x17xf32>
    %34 = stablehlo.exponential %33 : tensor<2x4x16x17xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %38 = stablehlo.divide %34, %37 : tensor<2x4x16x17xf32>
    %39 = stablehlo.multiply %36, %36 : tensor<2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %41 = stablehlo.divide %40, %39 : tensor<2x4x16x1xf32>
    %42 = stablehlo.slice %38 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %43 = stablehlo.convert %42 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %44 = stablehlo.dot_general %9, %43, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %45 = stablehlo.transpose %44, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %46 = stablehlo.reshape %45 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.dot_general %46, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %48 = stablehlo.add %arg5, %47 : tensor<2x16x32xbf16>
    %49 = stablehlo.convert %48 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %52 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %54 = stablehlo.multiply %53, %51 : tensor<2x16x32xf32>
    %55 = stablehlo.convert %54 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.dot_general %55, %46, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %58 = stablehlo.dot_general %55, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.transpose %59, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %61 = stablehlo.dot_general %60, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %62 = stablehlo.dot_general %60, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %63 = stablehlo.transpose %62, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %64 = stablehlo.convert %61 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.pad %64, %cst_9, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16x17xf32>
    %66 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<2x4x16x17xf32>
    %68 = stablehlo.multiply %67, %34 : tensor<2x4x16x17xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %70 = stablehlo.reshape %69 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %71 = stablehlo.negate %70 : tensor<2x4x16x1xf32>
    %72 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %73 = stablehlo.divide %65, %72 : tensor<2x4x16x17xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%71 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x17xf32>
    %76 = stablehlo.add %73, %75 : tensor<2x4x16x17xf32>
    %77 = stablehlo.multiply %76, %34 : tensor<2x4x16x17xf32>
    %78 = stablehlo.slice %77 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %79 = stablehlo.slice %77 [0:2, 0:4, 0:16, 16:17] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_12) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<4xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_13) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x4x1x1xf32>, tensor<f32>) -> tensor<4xf32>
    %83 = call @_where_38(%20#1, %78) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %84 = stablehlo.convert %83 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %85 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %86 = stablehlo.multiply %84, %85 : tensor<2x4x16x16xbf16>
    %87 = stablehlo.dot_general %86, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %88 = stablehlo.transpose %87, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %89 = stablehlo.dot_general %86, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %90 = stablehlo.transpose %89, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %91 = stablehlo.reshape %63 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %92 = stablehlo.reduce(%91 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %93 = stablehlo.reshape %88 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %94 = stablehlo.reduce(%93 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %95 = stablehlo.reshape %92 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %96 = stablehlo.dot_general %95, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %97 = stablehlo.transpose %96, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %98 = stablehlo.dot_general %95, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %99 = stablehlo.add %55, %98 : tensor<2x16x32xbf16>
    %100 = stablehlo.reshape %94 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %101 = stablehlo.dot_general %100, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %103 = stablehlo.dot_general %100, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %104 = stablehlo.add %99, %103 : tensor<2x16x32xbf16>
    %105 = stablehlo.reshape %90 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %106 = stablehlo.dot_general %105, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %107 = stablehlo.transpose %106, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %108 = stablehlo.dot_general %105, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %109 = stablehlo.add %104, %108 : tensor<2x16x32xbf16>
    return %102, %57, %107, %82, %97, %109 : tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
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
// line 45: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x1x16x16xbf16>) scale 0.353515625 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 NO_MASK window 0 scores 2x4x16x16
