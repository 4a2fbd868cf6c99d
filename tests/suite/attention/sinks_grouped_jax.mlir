// test: attention
// Attention with sinks, query heads in groups; with its gradient.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<4xf32>, %arg4: tensor<32x16xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<32x16xbf16> {jax.result_info = "result[0]['k']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['o']"}, tensor<32x32xbf16> {jax.result_info = "result[0]['q']"}, tensor<4xf32> {jax.result_info = "result[0]['s']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['v']"}, tensor<2x16x32xbf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.reshape %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %7 = stablehlo.dot_general %3, %6, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x8xbf16>, tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x16x2xf32>
    %8 = stablehlo.transpose %7, dims = [0, 1, 4, 3, 2] : (tensor<2x2x16x16x2xf32>) -> tensor<2x2x2x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x2x2x16x16xf32>
    %11 = stablehlo.iota dim = 0 : tensor<16xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %16 = stablehlo.compare  GE, %14, %15,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %17 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %18 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %c = stablehlo.constant dense<7> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %20 = stablehlo.subtract %18, %19 : tensor<16x1xi32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %23 = stablehlo.compare  GT, %21, %22,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %24 = stablehlo.and %16, %23 : tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %25:2 = call @_where(%24, %10, %cst_0) : (tensor<16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>)
    %26 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x2x2x1x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x1x1xf32>) -> tensor<2x2x2x16x1xf32>
    %28 = stablehlo.concatenate %25#0, %27, dim = 4 : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2x16xf32>
    %31 = stablehlo.maximum %30, %29 : tensor<2x2x2x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %34 = stablehlo.subtract %28, %33 : tensor<2x2x2x16x17xf32>
    %35 = stablehlo.exponential %34 : tensor<2x2x2x16x17xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %39 = stablehlo.divide %35, %38 : tensor<2x2x2x16x17xf32>
    %40 = stablehlo.multiply %37, %37 : tensor<2x2x2x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %42 = stablehlo.divide %41, %40 : tensor<2x2x2x16x1xf32>
    %43 = stablehlo.slice %39 [0:2, 0:2, 0:2, 0:16, 0:16] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x16xf32>
    %44 = stablehlo.convert %43 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %45 = stablehlo.dot_general %5, %44, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %46 = stablehlo.transpose %45, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x16x2x2x8xbf16>
    %47 = stablehlo.reshape %46 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.reshape %47 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %49 = stablehlo.dot_general %48, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %50 = stablehlo.add %arg5, %49 : tensor<2x16x32xbf16>
    %51 = stablehlo.convert %50 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %54 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %56 = stablehlo.multiply %55, %53 : tensor<2x16x32xf32>
    %57 = stablehlo.convert %56 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %58 = stablehlo.dot_general %57, %48, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %60 = stablehlo.dot_general %57, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %61 = stablehlo.reshape %60 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %62 = stablehlo.reshape %61 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %63 = stablehlo.transpose %62, dims = [0, 2, 4, 3, 1] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %64 = stablehlo.dot_general %63, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %65 = stablehlo.dot_general %63, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %66 = stablehlo.transpose %65, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %67 = stablehlo.convert %64 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.pad %67, %cst_8, low = [0, 0, 0, 0, 0], high = [0, 0, 0, 0, 1], interior = [0, 0, 0, 0, 0] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16x17xf32>
    %69 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %70 = stablehlo.multiply %68, %69 : tensor<2x2x2x16x17xf32>
    %71 = stablehlo.multiply %70, %35 : tensor<2x2x2x16x17xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %73 = stablehlo.reshape %72 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %74 = stablehlo.negate %73 : tensor<2x2x2x16x1xf32>
    %75 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %76 = stablehlo.divide %68, %75 : tensor<2x2x2x16x17xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%74 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x17xf32>
    %79 = stablehlo.add %76, %78 : tensor<2x2x2x16x17xf32>
    %80 = stablehlo.multiply %79, %35 : tensor<2x2x2x16x17xf32>
    %81 = stablehlo.slice %80 [0:2, 0:2, 0:2, 0:16, 0:16] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x16xf32>
    %82 = stablehlo.slice %80 [0:2, 0:2, 0:2, 0:16, 16:17] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_11) applies stablehlo.add across dimensions = [0, 3, 4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<1x2x2x1x1xf32>
    %85 = stablehlo.reshape %84 : (tensor<1x2x2x1x1xf32>) -> tensor<4xf32>
    %86 = call @_where_41(%25#1, %81) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_12 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %88 = stablehlo.multiply %86, %87 : tensor<2x2x2x16x16xf32>
    %89 = stablehlo.transpose %88, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x16x2xf32>
    %90 = stablehlo.convert %89 : tensor<2x2x16x16x2xf32>
    %91 = stablehlo.convert %3 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %92 = stablehlo.dot_general %90, %91, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %94 = stablehlo.convert %93 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %95 = stablehlo.convert %89 : tensor<2x2x16x16x2xf32>
    %96 = stablehlo.convert %6 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xf32>
    %97 = stablehlo.dot_general %95, %96, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %99 = stablehlo.convert %98 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %100 = stablehlo.reshape %94 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %101 = stablehlo.reshape %66 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %102 = stablehlo.dot_general %101, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %103 = stablehlo.transpose %102, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %104 = stablehlo.dot_general %101, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %105 = stablehlo.add %57, %104 : tensor<2x16x32xbf16>
    %106 = stablehlo.reshape %99 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %107 = stablehlo.dot_general %106, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %108 = stablehlo.transpose %107, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %109 = stablehlo.dot_general %106, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %110 = stablehlo.add %105, %109 : tensor<2x16x32xbf16>
    %111 = stablehlo.reshape %100 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %112 = stablehlo.dot_general %111, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %113 = stablehlo.transpose %112, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %114 = stablehlo.dot_general %111, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %115 = stablehlo.add %110, %114 : tensor<2x16x32xbf16>
    return %108, %59, %113, %85, %103, %115 : tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %3, %1 : tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>
  }
  func.func private @_where_41(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
}
// expect:
// line 45: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 7 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 7 scores 2x4x16x16
