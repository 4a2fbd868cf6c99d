// test: attention
// Heads of four features are too small.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x8x4xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x8x4xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x8x4xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x8x4xbf16>, tensor<2x16x8x4xbf16>) -> tensor<2x8x16x16xbf16>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x8x16x16xbf16>
    %8 = stablehlo.multiply %6, %7 : tensor<2x8x16x16xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x8x16x16xbf16>, tensor<bf16>) -> tensor<2x8x16xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x8x16xbf16>
    %11 = stablehlo.maximum %10, %9 : tensor<2x8x16xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x8x16xbf16>) -> tensor<2x8x16x1xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x8x16x1xbf16>) -> tensor<2x8x16x16xbf16>
    %14 = stablehlo.subtract %8, %13 : tensor<2x8x16x16xbf16>
    %15 = stablehlo.exponential %14 : tensor<2x8x16x16xbf16>
    %16 = stablehlo.convert %15 : (tensor<2x8x16x16xbf16>) -> tensor<2x8x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x8x16x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x8x16xf32>) -> tensor<2x8x16x1xf32>
    %19 = stablehlo.convert %18 : (tensor<2x8x16x1xf32>) -> tensor<2x8x16x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x8x16x1xbf16>) -> tensor<2x8x16x16xbf16>
    %21 = stablehlo.divide %15, %20 : tensor<2x8x16x16xbf16>
    %22 = stablehlo.multiply %19, %19 : tensor<2x8x16x1xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x8x16x1xbf16>
    %24 = stablehlo.divide %23, %22 : tensor<2x8x16x1xbf16>
    %25 = stablehlo.dot_general %5, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x8x4xbf16>, tensor<2x8x16x16xbf16>) -> tensor<2x8x4x16xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x8x4x16xbf16>) -> tensor<2x16x8x4xbf16>
    %27 = stablehlo.reshape %26 : (tensor<2x16x8x4xbf16>) -> tensor<2x16x32xbf16>
    %28 = stablehlo.dot_general %27, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.add %arg4, %28 : tensor<2x16x32xbf16>
    %30 = stablehlo.convert %29 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %31 = stablehlo.multiply %30, %30 : tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %33 = stablehlo.multiply %32, %30 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %35 = stablehlo.divide %34, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %36 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %38 = stablehlo.multiply %37, %33 : tensor<2x16x32xf32>
    %39 = stablehlo.convert %38 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %40 = stablehlo.dot_general %39, %27, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %42 = stablehlo.dot_general %39, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %43 = stablehlo.reshape %42 : (tensor<2x16x32xbf16>) -> tensor<2x16x8x4xbf16>
    %44 = stablehlo.transpose %43, dims = [0, 2, 3, 1] : (tensor<2x16x8x4xbf16>) -> tensor<2x8x4x16xbf16>
    %45 = stablehlo.dot_general %44, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x8x4x16xbf16>, tensor<2x16x8x4xbf16>) -> tensor<2x8x16x16xbf16>
    %46 = stablehlo.dot_general %44, %21, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x8x4x16xbf16>, tensor<2x8x16x16xbf16>) -> tensor<2x8x4x16xbf16>
    %47 = stablehlo.transpose %46, dims = [0, 3, 1, 2] : (tensor<2x8x4x16xbf16>) -> tensor<2x16x8x4xbf16>
    %48 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x8x16x1xbf16>) -> tensor<2x8x16x16xbf16>
    %49 = stablehlo.multiply %45, %48 : tensor<2x8x16x16xbf16>
    %50 = stablehlo.multiply %49, %15 : tensor<2x8x16x16xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %51 = stablehlo.reduce(%50 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x8x16x16xbf16>, tensor<bf16>) -> tensor<2x8x16xbf16>
    %52 = stablehlo.reshape %51 : (tensor<2x8x16xbf16>) -> tensor<2x8x16x1xbf16>
    %53 = stablehlo.negate %52 : tensor<2x8x16x1xbf16>
    %54 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x8x16x1xbf16>) -> tensor<2x8x16x16xbf16>
    %55 = stablehlo.divide %45, %54 : tensor<2x8x16x16xbf16>
    %56 = stablehlo.convert %53 : (tensor<2x8x16x1xbf16>) -> tensor<2x8x16x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x8x16x1xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x8x16xf32>) -> tensor<2x8x16x16xf32>
    %59 = stablehlo.convert %58 : (tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xbf16>
    %60 = stablehlo.add %55, %59 : tensor<2x8x16x16xbf16>
    %61 = stablehlo.multiply %60, %15 : tensor<2x8x16x16xbf16>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x8x16x16xbf16>
    %63 = stablehlo.multiply %61, %62 : tensor<2x8x16x16xbf16>
    %64 = stablehlo.dot_general %63, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x8x16x16xbf16>, tensor<2x16x8x4xbf16>) -> tensor<2x8x16x4xbf16>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<2x8x16x4xbf16>) -> tensor<2x16x8x4xbf16>
    %66 = stablehlo.dot_general %63, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x8x16x16xbf16>, tensor<2x16x8x4xbf16>) -> tensor<2x8x16x4xbf16>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1, 3] : (tensor<2x8x16x4xbf16>) -> tensor<2x16x8x4xbf16>
    %68 = stablehlo.reshape %47 : (tensor<2x16x8x4xbf16>) -> tensor<2x16x32xbf16>
    %69 = stablehlo.dot_general %68, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %71 = stablehlo.reshape %65 : (tensor<2x16x8x4xbf16>) -> tensor<2x16x32xbf16>
    %72 = stablehlo.dot_general %71, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %73 = stablehlo.transpose %72, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %74 = stablehlo.reshape %67 : (tensor<2x16x8x4xbf16>) -> tensor<2x16x32xbf16>
    %75 = stablehlo.dot_general %74, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %76 = stablehlo.transpose %75, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %35, %73, %41, %76, %70 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect: line 23: left, as a head has 4 features; cuDNN takes multiples of 8 up to 256
