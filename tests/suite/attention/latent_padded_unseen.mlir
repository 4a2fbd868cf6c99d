// test: attention kernel=npu-fusion
// The same with a mask on data that may leave a query no key.
module @jit_loss2 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x4x48xbf16>, %arg1: tensor<32x4x32xbf16>, %arg2: tensor<32x16xbf16>, %arg3: tensor<32x4x16xbf16>, %arg4: tensor<4x16x32xbf16>, %arg5: tensor<2x16x32xbf16>, %arg6: tensor<2x16x16xi1>) -> (tensor<32x4x48xbf16> {jax.result_info = "result[0]"}, tensor<32x4x32xbf16> {jax.result_info = "result[1]"}, tensor<32x16xbf16> {jax.result_info = "result[2]"}, tensor<32x4x16xbf16> {jax.result_info = "result[3]"}, tensor<4x16x32xbf16> {jax.result_info = "result[4]"}, tensor<2x16x32xbf16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x48xbf16>) -> tensor<2x16x4x48xbf16>
    %1 = stablehlo.dot_general %arg5, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x32xbf16>) -> tensor<2x16x4x32xbf16>
    %2 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 3] : (tensor<2x16x16xbf16>) -> tensor<2x16x1x16xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x16x1x16xbf16>) -> tensor<2x16x4x16xbf16>
    %5 = stablehlo.concatenate %1, %4, dim = 3 : (tensor<2x16x4x32xbf16>, tensor<2x16x4x16xbf16>) -> tensor<2x16x4x48xbf16>
    %6 = stablehlo.dot_general %arg5, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x16xbf16>) -> tensor<2x16x4x16xbf16>
    %7 = stablehlo.dot_general %0, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<1.445310e-01> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x16x16xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %11 = stablehlo.broadcast_in_dim %arg6, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %12:2 = call @_where(%11, %10, %cst_0) : (tensor<2x1x16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %18 = stablehlo.subtract %12#0, %17 : tensor<2x4x16x16xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x16x16xf32>
    %24 = stablehlo.multiply %21, %21 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.divide %25, %24 : tensor<2x4x16x1xf32>
    %27 = stablehlo.convert %23 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %28 = stablehlo.dot_general %6, %27, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %29 = stablehlo.transpose %28, dims = [0, 3, 1, 2] : (tensor<2x4x16x16xbf16>) -> tensor<2x16x4x16xbf16>
    %30 = stablehlo.dot_general %29, %arg4, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<4x16x32xbf16>) -> tensor<2x16x32xbf16>
    %31 = stablehlo.convert %30 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<2x16x32xf32>
    %36 = stablehlo.convert %35 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %37 = stablehlo.dot_general %36, %29, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x4x16xbf16>) -> tensor<32x4x16xbf16>
    %38 = stablehlo.transpose %37, dims = [1, 2, 0] : (tensor<32x4x16xbf16>) -> tensor<4x16x32xbf16>
    %39 = stablehlo.dot_general %36, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<4x16x32xbf16>) -> tensor<2x16x4x16xbf16>
    %40 = stablehlo.transpose %39, dims = [0, 2, 3, 1] : (tensor<2x16x4x16xbf16>) -> tensor<2x4x16x16xbf16>
    %41 = stablehlo.dot_general %40, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x16xbf16>) -> tensor<2x4x16x16xbf16>
    %42 = stablehlo.dot_general %40, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %43 = stablehlo.transpose %42, dims = [0, 3, 1, 2] : (tensor<2x4x16x16xbf16>) -> tensor<2x16x4x16xbf16>
    %44 = stablehlo.convert %41 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %45 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %46 = stablehlo.multiply %44, %45 : tensor<2x4x16x16xf32>
    %47 = stablehlo.multiply %46, %19 : tensor<2x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %49 = stablehlo.reshape %48 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %50 = stablehlo.negate %49 : tensor<2x4x16x1xf32>
    %51 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %52 = stablehlo.divide %44, %51 : tensor<2x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%50 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %55 = stablehlo.add %52, %54 : tensor<2x4x16x16xf32>
    %56 = stablehlo.multiply %55, %19 : tensor<2x4x16x16xf32>
    %57 = call @_where_0(%12#1, %56) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %58 = stablehlo.convert %57 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_9 = stablehlo.constant dense<1.445310e-01> : tensor<bf16>
    %59 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %60 = stablehlo.multiply %58, %59 : tensor<2x4x16x16xbf16>
    %61 = stablehlo.dot_general %60, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x48xbf16>
    %62 = stablehlo.transpose %61, dims = [0, 2, 1, 3] : (tensor<2x4x16x48xbf16>) -> tensor<2x16x4x48xbf16>
    %63 = stablehlo.dot_general %60, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x48xbf16>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1, 3] : (tensor<2x4x16x48xbf16>) -> tensor<2x16x4x48xbf16>
    %65 = stablehlo.dot_general %43, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<2x16x32xbf16>) -> tensor<4x16x32xbf16>
    %66 = stablehlo.transpose %65, dims = [2, 0, 1] : (tensor<4x16x32xbf16>) -> tensor<32x4x16xbf16>
    %67 = stablehlo.dot_general %43, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<32x4x16xbf16>) -> tensor<2x16x32xbf16>
    %68 = stablehlo.slice %62 [0:2, 0:16, 0:4, 0:32] : (tensor<2x16x4x48xbf16>) -> tensor<2x16x4x32xbf16>
    %69 = stablehlo.slice %62 [0:2, 0:16, 0:4, 32:48] : (tensor<2x16x4x48xbf16>) -> tensor<2x16x4x16xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %70 = stablehlo.reduce(%69 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x16x4x16xbf16>, tensor<bf16>) -> tensor<2x16x16xbf16>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 3] : (tensor<2x16x16xbf16>) -> tensor<2x16x1x16xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %72 = stablehlo.reduce(%71 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x16x1x16xbf16>, tensor<bf16>) -> tensor<2x16x16xbf16>
    %73 = stablehlo.dot_general %72, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %74 = stablehlo.transpose %73, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %75 = stablehlo.dot_general %72, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %76 = stablehlo.add %67, %75 : tensor<2x16x32xbf16>
    %77 = stablehlo.dot_general %68, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x32xbf16>, tensor<2x16x32xbf16>) -> tensor<4x32x32xbf16>
    %78 = stablehlo.transpose %77, dims = [2, 0, 1] : (tensor<4x32x32xbf16>) -> tensor<32x4x32xbf16>
    %79 = stablehlo.dot_general %68, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x32xbf16>, tensor<32x4x32xbf16>) -> tensor<2x16x32xbf16>
    %80 = stablehlo.add %76, %79 : tensor<2x16x32xbf16>
    %81 = stablehlo.dot_general %64, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<2x16x32xbf16>) -> tensor<4x48x32xbf16>
    %82 = stablehlo.transpose %81, dims = [2, 0, 1] : (tensor<4x48x32xbf16>) -> tensor<32x4x48xbf16>
    %83 = stablehlo.dot_general %64, %arg0, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<32x4x48xbf16>) -> tensor<2x16x32xbf16>
    %84 = stablehlo.add %80, %83 : tensor<2x16x32xbf16>
    return %82, %78, %74, %66, %38, %84 : tensor<32x4x48xbf16>, tensor<32x4x32xbf16>, tensor<32x16xbf16>, tensor<32x4x16xbf16>, tensor<4x16x32xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2, %0 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 28: with its gradient
// __npu$fmhaScaleBiasSoftmax(tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x1x16x16xbf16>) scale 0.14453125 NO_MASK window 0 scores 2x4x16x16
// __npu$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x48xbf16>, tensor<2x1x16x16xbf16>, tensor<2x16x4x48xbf16>) scale 0.14453125 NO_MASK window 0 scores 2x4x16x16
