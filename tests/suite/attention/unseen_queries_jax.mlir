// test: attention
// A mask of queries by data leaves some of them no key.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>, %arg5: tensor<2x16xi1>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<32x32xbf16> {jax.result_info = "result[1]['k']"}, tensor<32x32xbf16> {jax.result_info = "result[1]['o']"}, tensor<32x32xbf16> {jax.result_info = "result[1]['q']"}, tensor<32x32xbf16> {jax.result_info = "result[1]['v']"}) {
    %0 = stablehlo.reshape %arg5 : (tensor<2x16xi1>) -> tensor<2x1x16x1xi1>
    %1 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %6 = stablehlo.reshape %5 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 4] : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %8 = stablehlo.reshape %7 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %9 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 4] : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %10 = stablehlo.reshape %9 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %11 = stablehlo.dot_general %2, %8, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %12 = stablehlo.convert %11 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<3.500000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %15:2 = call @_where(%0, %14, %cst_0) : (tensor<2x1x16x1xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %21 = stablehlo.subtract %15#0, %20 : tensor<2x4x16x16xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x16x16xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<2x4x16x1xf32>
    %30 = stablehlo.convert %26 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %31 = stablehlo.dot_general %10, %30, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %32 = stablehlo.transpose %31, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %33 = stablehlo.reshape %32 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.dot_general %33, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %35 = stablehlo.add %arg4, %34 : tensor<2x16x32xbf16>
    %36 = stablehlo.convert %35 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %37 = stablehlo.multiply %36, %36 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %39 = stablehlo.multiply %38, %36 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %41 = stablehlo.divide %40, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %42 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %44 = stablehlo.multiply %43, %39 : tensor<2x16x32xf32>
    %45 = stablehlo.convert %44 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.dot_general %45, %33, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %48 = stablehlo.dot_general %45, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %49 = stablehlo.reshape %48 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %50 = stablehlo.transpose %49, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %51 = stablehlo.dot_general %50, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %52 = stablehlo.dot_general %50, %30, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %53 = stablehlo.transpose %52, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %54 = stablehlo.convert %51 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %55 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<2x4x16x16xf32>
    %57 = stablehlo.multiply %56, %22 : tensor<2x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %59 = stablehlo.reshape %58 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %60 = stablehlo.negate %59 : tensor<2x4x16x1xf32>
    %61 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %62 = stablehlo.divide %54, %61 : tensor<2x4x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%60 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %65 = stablehlo.add %62, %64 : tensor<2x4x16x16xf32>
    %66 = stablehlo.multiply %65, %22 : tensor<2x4x16x16xf32>
    %67 = call @_where_0(%15#1, %66) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %cst_12 = stablehlo.constant dense<3.500000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<2x4x16x16xf32>
    %70 = stablehlo.convert %69 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %71 = stablehlo.dot_general %70, %2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %72 = stablehlo.transpose %71, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %73 = stablehlo.dot_general %70, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %74 = stablehlo.transpose %73, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %75 = stablehlo.reshape %53 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %76 = stablehlo.reduce(%75 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x16x4x1x8xbf16>, tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %77 = stablehlo.reshape %72 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %78 = stablehlo.reduce(%77 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<2x16x4x1x8xbf16>, tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %79 = stablehlo.reshape %76 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %80 = stablehlo.dot_general %79, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %81 = stablehlo.transpose %80, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %82 = stablehlo.reshape %78 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %83 = stablehlo.dot_general %82, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %85 = stablehlo.reshape %74 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %86 = stablehlo.dot_general %85, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %41, %84, %47, %87, %81 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x16x1xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x16x1xi1>) -> tensor<2x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %3, %1 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 31: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>) scale 0.3499999940395355 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 0.3499999940395355 NO_MASK window 0 scores 2x4x16x16
