// test: attention
// Probabilities that are a result.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x4x16x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x16xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x16x16xbf16>
    %15 = stablehlo.exponential %14 : tensor<2x4x16x16xbf16>
    %16 = stablehlo.convert %15 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %19 = stablehlo.convert %18 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %21 = stablehlo.divide %15, %20 : tensor<2x4x16x16xbf16>
    %22 = stablehlo.multiply %19, %19 : tensor<2x4x16x1xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %24 = stablehlo.divide %23, %22 : tensor<2x4x16x1xbf16>
    %25 = stablehlo.dot_general %5, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %27 = stablehlo.reshape %26 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %28 = stablehlo.dot_general %27, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.add %arg4, %28 : tensor<2x16x32xbf16>
    %30 = stablehlo.convert %29 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %33 = stablehlo.convert %32 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.dot_general %33, %27, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %36 = stablehlo.dot_general %33, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %37 = stablehlo.reshape %36 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %38 = stablehlo.transpose %37, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %39 = stablehlo.dot_general %38, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %40 = stablehlo.dot_general %38, %21, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %42 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %43 = stablehlo.multiply %39, %42 : tensor<2x4x16x16xbf16>
    %44 = stablehlo.multiply %43, %15 : tensor<2x4x16x16xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %45 = stablehlo.reduce(%44 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %46 = stablehlo.reshape %45 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %47 = stablehlo.negate %46 : tensor<2x4x16x1xbf16>
    %48 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %49 = stablehlo.divide %39, %48 : tensor<2x4x16x16xbf16>
    %50 = stablehlo.convert %47 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %53 = stablehlo.convert %52 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %54 = stablehlo.add %49, %53 : tensor<2x4x16x16xbf16>
    %55 = stablehlo.multiply %54, %15 : tensor<2x4x16x16xbf16>
    %cst_8 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %56 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %57 = stablehlo.multiply %55, %56 : tensor<2x4x16x16xbf16>
    %58 = stablehlo.dot_general %57, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.dot_general %57, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %62 = stablehlo.reshape %41 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %63 = stablehlo.dot_general %62, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %64 = stablehlo.transpose %63, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %65 = stablehlo.reshape %59 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %66 = stablehlo.dot_general %65, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %67 = stablehlo.transpose %66, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %68 = stablehlo.reshape %61 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %69 = stablehlo.dot_general %68, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %31, %21, %67, %35, %70, %64 : tensor<f32>, tensor<2x4x16x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect: line 23: left, as the probabilities are needed elsewhere, by `func.return`
