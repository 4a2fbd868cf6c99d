// test: attention
// Without a mask, in bf16 throughout, heads before positions.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %3 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.transpose %4, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %6 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %7 = stablehlo.reshape %6 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.transpose %7, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x8xbf16>
    %10 = stablehlo.multiply %2, %9 : tensor<2x4x16x8xbf16>
    %11 = stablehlo.transpose %5, dims = [0, 1, 3, 2] : (tensor<2x4x16x8xbf16>) -> tensor<2x4x8x16xbf16>
    %12 = stablehlo.dot_general %10, %11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x16xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x16x16xbf16>
    %19 = stablehlo.exponential %18 : tensor<2x4x16x16xbf16>
    %20 = stablehlo.convert %19 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.convert %22 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %25 = stablehlo.divide %19, %24 : tensor<2x4x16x16xbf16>
    %26 = stablehlo.multiply %23, %23 : tensor<2x4x16x1xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %28 = stablehlo.divide %27, %26 : tensor<2x4x16x1xbf16>
    %29 = stablehlo.dot_general %25, %8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %31 = stablehlo.reshape %30 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %32 = stablehlo.dot_general %31, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %33 = stablehlo.add %arg4, %32 : tensor<2x16x32xbf16>
    %34 = stablehlo.convert %33 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %35 = stablehlo.multiply %34, %34 : tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%35 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %39 = stablehlo.divide %38, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %40 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %42 = stablehlo.multiply %41, %37 : tensor<2x16x32xf32>
    %43 = stablehlo.convert %42 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %44 = stablehlo.dot_general %43, %31, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %45 = stablehlo.transpose %44, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %46 = stablehlo.dot_general %43, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.reshape %46 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.transpose %47, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %49 = stablehlo.dot_general %48, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %50 = stablehlo.transpose %49, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
    %51 = stablehlo.dot_general %48, %8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x16xbf16>
    %52 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %53 = stablehlo.multiply %51, %52 : tensor<2x4x16x16xbf16>
    %54 = stablehlo.multiply %53, %19 : tensor<2x4x16x16xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %55 = stablehlo.reduce(%54 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %56 = stablehlo.reshape %55 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %57 = stablehlo.negate %56 : tensor<2x4x16x1xbf16>
    %58 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %59 = stablehlo.divide %51, %58 : tensor<2x4x16x16xbf16>
    %60 = stablehlo.convert %57 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %63 = stablehlo.convert %62 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %64 = stablehlo.add %59, %63 : tensor<2x4x16x16xbf16>
    %65 = stablehlo.multiply %64, %19 : tensor<2x4x16x16xbf16>
    %66 = stablehlo.dot_general %65, %10, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x16x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16>
    %67 = stablehlo.transpose %66, dims = [0, 1, 3, 2] : (tensor<2x4x16x8xbf16>) -> tensor<2x4x8x16xbf16>
    %68 = stablehlo.dot_general %65, %11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x16x16xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
    %69 = stablehlo.transpose %67, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
    %cst_11 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %70 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x4x16x8xbf16>
    %71 = stablehlo.multiply %68, %70 : tensor<2x4x16x8xbf16>
    %72 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %73 = stablehlo.reshape %72 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %74 = stablehlo.dot_general %73, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %76 = stablehlo.transpose %69, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %77 = stablehlo.reshape %76 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %78 = stablehlo.dot_general %77, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %80 = stablehlo.transpose %71, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %81 = stablehlo.reshape %80 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %82 = stablehlo.dot_general %81, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %83 = stablehlo.transpose %82, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %39, %79, %45, %83, %75 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect:
// line 27: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>, tensor<2x4x16xf32>, tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x16
