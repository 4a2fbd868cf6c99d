// test: attention
// Capped scores.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
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
    %cst_0 = stablehlo.constant dense<5.000000e+01> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %10 = stablehlo.divide %8, %9 : tensor<2x4x16x16xbf16>
    %11 = stablehlo.tanh %10 : tensor<2x4x16x16xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %13 = stablehlo.subtract %12, %11 : tensor<2x4x16x16xbf16>
    %cst_2 = stablehlo.constant dense<5.000000e+01> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %15 = stablehlo.multiply %14, %11 : tensor<2x4x16x16xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x16xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %21 = stablehlo.subtract %15, %20 : tensor<2x4x16x16xbf16>
    %22 = stablehlo.exponential %21 : tensor<2x4x16x16xbf16>
    %23 = stablehlo.convert %22 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.convert %25 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %28 = stablehlo.divide %22, %27 : tensor<2x4x16x16xbf16>
    %29 = stablehlo.multiply %26, %26 : tensor<2x4x16x1xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %31 = stablehlo.divide %30, %29 : tensor<2x4x16x1xbf16>
    %32 = stablehlo.dot_general %5, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %33 = stablehlo.transpose %32, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %34 = stablehlo.reshape %33 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %35 = stablehlo.dot_general %34, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %36 = stablehlo.add %arg4, %35 : tensor<2x16x32xbf16>
    %37 = stablehlo.convert %36 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %38 = stablehlo.multiply %37, %37 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %40 = stablehlo.multiply %39, %37 : tensor<2x16x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %42 = stablehlo.divide %41, %cst_9 : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %43 = stablehlo.divide %cst_10, %cst_11 : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %45 = stablehlo.multiply %44, %40 : tensor<2x16x32xf32>
    %46 = stablehlo.convert %45 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.dot_general %46, %34, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %49 = stablehlo.dot_general %46, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %50 = stablehlo.reshape %49 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %51 = stablehlo.transpose %50, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %52 = stablehlo.dot_general %51, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %53 = stablehlo.dot_general %51, %28, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %54 = stablehlo.transpose %53, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %55 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %56 = stablehlo.multiply %52, %55 : tensor<2x4x16x16xbf16>
    %57 = stablehlo.multiply %56, %22 : tensor<2x4x16x16xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %58 = stablehlo.reduce(%57 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %60 = stablehlo.negate %59 : tensor<2x4x16x1xbf16>
    %61 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %62 = stablehlo.divide %52, %61 : tensor<2x4x16x16xbf16>
    %63 = stablehlo.convert %60 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %66 = stablehlo.convert %65 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %67 = stablehlo.add %62, %66 : tensor<2x4x16x16xbf16>
    %68 = stablehlo.multiply %67, %22 : tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<5.000000e+01> : tensor<bf16>
    %69 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %70 = stablehlo.multiply %69, %68 : tensor<2x4x16x16xbf16>
    %71 = stablehlo.multiply %70, %13 : tensor<2x4x16x16xbf16>
    %72 = stablehlo.multiply %71, %11 : tensor<2x4x16x16xbf16>
    %73 = stablehlo.add %71, %72 : tensor<2x4x16x16xbf16>
    %cst_15 = stablehlo.constant dense<5.000000e+01> : tensor<bf16>
    %74 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %75 = stablehlo.divide %73, %74 : tensor<2x4x16x16xbf16>
    %cst_16 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %76 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %77 = stablehlo.multiply %75, %76 : tensor<2x4x16x16xbf16>
    %78 = stablehlo.dot_general %77, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %79 = stablehlo.transpose %78, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %80 = stablehlo.dot_general %77, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %81 = stablehlo.transpose %80, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %82 = stablehlo.reshape %54 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %83 = stablehlo.dot_general %82, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %85 = stablehlo.reshape %79 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %86 = stablehlo.dot_general %85, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %88 = stablehlo.reshape %81 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %89 = stablehlo.dot_general %88, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %90 = stablehlo.transpose %89, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %42, %87, %48, %90, %84 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect: line 33: left, as the scores are capped by a tangent
