// test: attention
// A mask of earlier positions alone leaves the first query no key.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x8x32xf32>) -> (tensor<32x32xf32> {jax.result_info = "result[0]['k']"}, tensor<32x32xf32> {jax.result_info = "result[0]['o']"}, tensor<32x32xf32> {jax.result_info = "result[0]['q']"}, tensor<32x32xf32> {jax.result_info = "result[0]['v']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi32>
    %c_0 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi32>
    %0 = stablehlo.convert %arg4 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %1 = stablehlo.convert %arg2 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<4x8x32xbf16>) -> tensor<4x8x2x16xbf16>
    %4 = stablehlo.convert %arg0 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    %5 = stablehlo.dot_general %0, %4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
    %6 = stablehlo.reshape %5 : (tensor<4x8x32xbf16>) -> tensor<4x8x2x16xbf16>
    %7 = stablehlo.convert %arg3 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    %8 = stablehlo.dot_general %0, %7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
    %9 = stablehlo.reshape %8 : (tensor<4x8x32xbf16>) -> tensor<4x8x2x16xbf16>
    %10 = stablehlo.dot_general %3, %6, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x16xbf16>, tensor<4x8x2x16xbf16>) -> tensor<4x2x8x8xbf16>
    %11 = stablehlo.convert %10 : (tensor<4x2x8x8xbf16>) -> tensor<4x2x8x8xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<4x2x8x8xf32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %16 = stablehlo.compare GT, %14, %15, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst_1 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %17:3 = call @_where(%16, %13, %cst_1) : (tensor<8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17#0 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %19 = stablehlo.reshape %18 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %21 = stablehlo.compare EQ, %17#0, %20, FLOAT : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xi1>
    %22 = stablehlo.convert %21 : (tensor<4x2x8x8xi1>) -> tensor<4x2x8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %25 = stablehlo.maximum %24, %18 : tensor<4x2x8xf32>
    %26 = stablehlo.compare EQ, %18, %25, FLOAT : (tensor<4x2x8xf32>, tensor<4x2x8xf32>) -> tensor<4x2x8xi1>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %29 = stablehlo.select %26, %27, %28 : tensor<4x2x8xi1>, tensor<4x2x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %31 = stablehlo.compare EQ, %30, %25, FLOAT : (tensor<4x2x8xf32>, tensor<4x2x8xf32>) -> tensor<4x2x8xi1>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %34 = stablehlo.select %31, %32, %33 : tensor<4x2x8xi1>, tensor<4x2x8xf32>
    %35 = stablehlo.divide %29, %34 : tensor<4x2x8xf32>
    %36 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %38 = stablehlo.subtract %17#0, %37 : tensor<4x2x8x8xf32>
    %39 = stablehlo.exponential %38 : tensor<4x2x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %43 = stablehlo.divide %39, %42 : tensor<4x2x8x8xf32>
    %44 = stablehlo.multiply %41, %41 : tensor<4x2x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %46 = stablehlo.divide %45, %44 : tensor<4x2x8x1xf32>
    %47 = stablehlo.convert %43 : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xbf16>
    %48 = stablehlo.dot_general %9, %47, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x16xbf16>, tensor<4x2x8x8xbf16>) -> tensor<4x2x16x8xbf16>
    %49 = stablehlo.transpose %48, dims = [0, 3, 1, 2] : (tensor<4x2x16x8xbf16>) -> tensor<4x8x2x16xbf16>
    %50 = stablehlo.reshape %49 : (tensor<4x8x2x16xbf16>) -> tensor<4x8x32xbf16>
    %51 = stablehlo.convert %arg1 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    %52 = stablehlo.dot_general %50, %51, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
    %53 = stablehlo.convert %52 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %54 = stablehlo.subtract %53, %arg4 : tensor<4x8x32xf32>
    %55 = stablehlo.multiply %54, %54 : tensor<4x8x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %57 = stablehlo.multiply %56, %54 : tensor<4x8x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%55 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %59 = stablehlo.divide %58, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %60 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %62 = stablehlo.multiply %61, %57 : tensor<4x8x32xf32>
    %63 = stablehlo.convert %62 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %64 = stablehlo.dot_general %63, %50, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<32x32xbf16>
    %65 = stablehlo.transpose %64, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %66 = stablehlo.dot_general %63, %51, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
    %67 = stablehlo.convert %65 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %68 = stablehlo.reshape %66 : (tensor<4x8x32xbf16>) -> tensor<4x8x2x16xbf16>
    %69 = stablehlo.transpose %68, dims = [0, 2, 3, 1] : (tensor<4x8x2x16xbf16>) -> tensor<4x2x16x8xbf16>
    %70 = stablehlo.dot_general %69, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x16x8xbf16>, tensor<4x8x2x16xbf16>) -> tensor<4x2x8x8xbf16>
    %71 = stablehlo.dot_general %69, %47, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x16x8xbf16>, tensor<4x2x8x8xbf16>) -> tensor<4x2x16x8xbf16>
    %72 = stablehlo.transpose %71, dims = [0, 3, 1, 2] : (tensor<4x2x16x8xbf16>) -> tensor<4x8x2x16xbf16>
    %73 = stablehlo.convert %70 : (tensor<4x2x8x8xbf16>) -> tensor<4x2x8x8xf32>
    %74 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %75 = stablehlo.multiply %73, %74 : tensor<4x2x8x8xf32>
    %76 = stablehlo.multiply %75, %39 : tensor<4x2x8x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %78 = stablehlo.reshape %77 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %79 = stablehlo.negate %78 : tensor<4x2x8x1xf32>
    %80 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %81 = stablehlo.divide %73, %80 : tensor<4x2x8x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%79 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %84 = stablehlo.add %81, %83 : tensor<4x2x8x8xf32>
    %85 = stablehlo.multiply %84, %39 : tensor<4x2x8x8xf32>
    %86 = call @_where_0(%17#1, %17#2, %85) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_19 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %88 = stablehlo.multiply %86, %87 : tensor<4x2x8x8xf32>
    %89 = stablehlo.convert %88 : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xbf16>
    %90 = stablehlo.dot_general %89, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xbf16>, tensor<4x8x2x16xbf16>) -> tensor<4x2x8x16xbf16>
    %91 = stablehlo.transpose %90, dims = [0, 2, 1, 3] : (tensor<4x2x8x16xbf16>) -> tensor<4x8x2x16xbf16>
    %92 = stablehlo.dot_general %89, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xbf16>, tensor<4x8x2x16xbf16>) -> tensor<4x2x8x16xbf16>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3] : (tensor<4x2x8x16xbf16>) -> tensor<4x8x2x16xbf16>
    %94 = stablehlo.reshape %72 : (tensor<4x8x2x16xbf16>) -> tensor<4x8x32xbf16>
    %95 = stablehlo.dot_general %94, %0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<32x32xbf16>
    %96 = stablehlo.transpose %95, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %97 = stablehlo.convert %96 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %98 = stablehlo.reshape %91 : (tensor<4x8x2x16xbf16>) -> tensor<4x8x32xbf16>
    %99 = stablehlo.dot_general %98, %0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<32x32xbf16>
    %100 = stablehlo.transpose %99, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %101 = stablehlo.convert %100 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %102 = stablehlo.reshape %93 : (tensor<4x8x2x16xbf16>) -> tensor<4x8x32xbf16>
    %103 = stablehlo.dot_general %102, %0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<32x32xbf16>
    %104 = stablehlo.transpose %103, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %105 = stablehlo.convert %104 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %107 = stablehlo.multiply %106, %101 : tensor<32x32xf32>
    %108 = stablehlo.subtract %arg0, %107 : tensor<32x32xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %110 = stablehlo.multiply %109, %67 : tensor<32x32xf32>
    %111 = stablehlo.subtract %arg1, %110 : tensor<32x32xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %113 = stablehlo.multiply %112, %105 : tensor<32x32xf32>
    %114 = stablehlo.subtract %arg2, %113 : tensor<32x32xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %116 = stablehlo.multiply %115, %97 : tensor<32x32xf32>
    %117 = stablehlo.subtract %arg3, %116 : tensor<32x32xf32>
    return %108, %111, %114, %117, %59 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    return %3, %1, %4 : tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
  }
  func.func private @_where_0(%arg0: tensor<4x2x8x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %1 : tensor<4x2x8x8xf32>
  }
}
// expect: line 56: left, as its mask leaves a query no key, for which the kernel computes something else
