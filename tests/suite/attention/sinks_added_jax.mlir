// test: attention
// The exponential of a sink is added to the sum of the others; with its gradient.
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
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %17:2 = call @_where(%16, %10, %cst_0) : (tensor<16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>)
    %18 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x2x2x1x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%17#0 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %21 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x1x1xf32>) -> tensor<2x2x2x16x1xf32>
    %22 = stablehlo.maximum %20, %21 : tensor<2x2x2x16x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %24 = stablehlo.subtract %17#0, %23 : tensor<2x2x2x16x16xf32>
    %25 = stablehlo.exponential %24 : tensor<2x2x2x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %28 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x1x1xf32>) -> tensor<2x2x2x16x1xf32>
    %29 = stablehlo.subtract %28, %22 : tensor<2x2x2x16x1xf32>
    %30 = stablehlo.exponential %29 : tensor<2x2x2x16x1xf32>
    %31 = stablehlo.add %27, %30 : tensor<2x2x2x16x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %33 = stablehlo.divide %25, %32 : tensor<2x2x2x16x16xf32>
    %34 = stablehlo.multiply %31, %31 : tensor<2x2x2x16x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %36 = stablehlo.divide %35, %34 : tensor<2x2x2x16x1xf32>
    %37 = stablehlo.convert %33 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %38 = stablehlo.dot_general %5, %37, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %39 = stablehlo.transpose %38, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x16x2x2x8xbf16>
    %40 = stablehlo.reshape %39 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %41 = stablehlo.reshape %40 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %42 = stablehlo.dot_general %41, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %43 = stablehlo.add %arg5, %42 : tensor<2x16x32xbf16>
    %44 = stablehlo.convert %43 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %47 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<2x16x32xf32>
    %50 = stablehlo.convert %49 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %51 = stablehlo.dot_general %50, %41, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %53 = stablehlo.dot_general %50, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.reshape %53 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %55 = stablehlo.reshape %54 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %56 = stablehlo.transpose %55, dims = [0, 2, 4, 3, 1] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %57 = stablehlo.dot_general %56, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %58 = stablehlo.dot_general %56, %37, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %59 = stablehlo.transpose %58, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %60 = stablehlo.convert %57 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %61 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %62 = stablehlo.multiply %60, %61 : tensor<2x2x2x16x16xf32>
    %63 = stablehlo.multiply %62, %25 : tensor<2x2x2x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %65 = stablehlo.reshape %64 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %66 = stablehlo.negate %65 : tensor<2x2x2x16x1xf32>
    %67 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %68 = stablehlo.divide %60, %67 : tensor<2x2x2x16x16xf32>
    %69 = stablehlo.multiply %66, %30 : tensor<2x2x2x16x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_8) applies stablehlo.add across dimensions = [0, 3, 4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x1xf32>
    %72 = stablehlo.reshape %71 : (tensor<2x2x1xf32>) -> tensor<1x2x2x1x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%66 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
    %75 = stablehlo.add %68, %74 : tensor<2x2x2x16x16xf32>
    %76 = stablehlo.multiply %75, %25 : tensor<2x2x2x16x16xf32>
    %77 = stablehlo.reshape %72 : (tensor<1x2x2x1x1xf32>) -> tensor<4xf32>
    %78 = call @_where_43(%17#1, %76) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<2x2x2x16x16xf32>
    %81 = stablehlo.transpose %80, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x16x2xf32>
    %82 = stablehlo.convert %81 : tensor<2x2x16x16x2xf32>
    %83 = stablehlo.convert %3 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %84 = stablehlo.dot_general %82, %83, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
    %85 = stablehlo.transpose %84, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %86 = stablehlo.convert %85 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %87 = stablehlo.convert %81 : tensor<2x2x16x16x2xf32>
    %88 = stablehlo.convert %6 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xf32>
    %89 = stablehlo.dot_general %87, %88, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
    %90 = stablehlo.transpose %89, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %91 = stablehlo.convert %90 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %92 = stablehlo.reshape %86 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %93 = stablehlo.reshape %59 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %94 = stablehlo.dot_general %93, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %95 = stablehlo.transpose %94, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %96 = stablehlo.dot_general %93, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %97 = stablehlo.add %50, %96 : tensor<2x16x32xbf16>
    %98 = stablehlo.reshape %91 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %99 = stablehlo.dot_general %98, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %100 = stablehlo.transpose %99, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %101 = stablehlo.dot_general %98, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %102 = stablehlo.add %97, %101 : tensor<2x16x32xbf16>
    %103 = stablehlo.reshape %92 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %104 = stablehlo.dot_general %103, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %105 = stablehlo.transpose %104, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %106 = stablehlo.dot_general %103, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %107 = stablehlo.add %102, %106 : tensor<2x16x32xbf16>
    return %100, %52, %105, %77, %95, %107 : tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %3, %1 : tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>
  }
  func.func private @_where_43(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
}
// expect:
// line 33: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
