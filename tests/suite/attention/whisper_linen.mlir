// test: attention
// Cross attention of Flax Linen.
module {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<32x4x8xf32>, %arg2: tensor<32xf32>, %arg3: tensor<4x8x32xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<32x4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<32x4x8xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<2x24x32xbf16>
    %0 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %1 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %2 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.reshape %1 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %arg1 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %7 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %8 = stablehlo.dot_general %cst, %6, contracting_dims = [2] x [0] : (tensor<2x24x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x24x4x8xbf16>
    %9 = stablehlo.reshape %7 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x24x4x8xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2x24x4x8xbf16>
    %12 = stablehlo.convert %arg7 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %13 = stablehlo.convert %arg6 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %14 = stablehlo.dot_general %cst, %12, contracting_dims = [2] x [0] : (tensor<2x24x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x24x4x8xbf16>
    %15 = stablehlo.reshape %13 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x24x4x8xbf16>
    %17 = stablehlo.add %14, %16 : tensor<2x24x4x8xbf16>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %18 = stablehlo.sqrt %cst_0 : tensor<f32>
    %19 = stablehlo.convert %18 : (tensor<f32>) -> tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %21 = stablehlo.divide %5, %20 : tensor<2x16x4x8xbf16>
    %22 = stablehlo.dot_general %21, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x24xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %23 = stablehlo.reduce(%22 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x24xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %25 = stablehlo.maximum %24, %23 : tensor<2x4x16xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x24xbf16>
    %28 = stablehlo.subtract %22, %27 : tensor<2x4x16x24xbf16>
    %29 = stablehlo.exponential %28 : tensor<2x4x16x24xbf16>
    %30 = stablehlo.convert %29 : (tensor<2x4x16x24xbf16>) -> tensor<2x4x16x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x24xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %33 = stablehlo.convert %32 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x24xbf16>
    %35 = stablehlo.divide %29, %34 : tensor<2x4x16x24xbf16>
    %36 = stablehlo.multiply %33, %33 : tensor<2x4x16x1xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %38 = stablehlo.divide %37, %36 : tensor<2x4x16x1xbf16>
    %39 = stablehlo.dot_general %17, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x24x4x8xbf16>, tensor<2x4x16x24xbf16>) -> tensor<2x4x8x16xbf16>
    %40 = stablehlo.transpose %39, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %41 = stablehlo.convert %arg3 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %42 = stablehlo.convert %arg2 : (tensor<32xf32>) -> tensor<32xbf16>
    %43 = stablehlo.dot_general %40, %41, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %44 = stablehlo.reshape %42 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.add %43, %45 : tensor<2x16x32xbf16>
    %47 = stablehlo.add %arg8, %46 : tensor<2x16x32xbf16>
    %48 = stablehlo.convert %47 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %49 = stablehlo.multiply %48, %48 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %51 = stablehlo.multiply %50, %48 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%49 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %53 = stablehlo.divide %52, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %54 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %56 = stablehlo.multiply %55, %51 : tensor<2x16x32xf32>
    %57 = stablehlo.convert %56 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %58 = stablehlo.reduce(%57 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %59 = stablehlo.reshape %58 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %60 = stablehlo.reshape %59 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %61 = stablehlo.dot_general %57, %40, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %62 = stablehlo.transpose %61, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %63 = stablehlo.dot_general %57, %41, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %64 = stablehlo.convert %60 : (tensor<32xbf16>) -> tensor<32xf32>
    %65 = stablehlo.convert %62 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %66 = stablehlo.transpose %63, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %67 = stablehlo.dot_general %66, %17, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x24xbf16>
    %68 = stablehlo.dot_general %66, %35, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x24xbf16>) -> tensor<2x4x8x24xbf16>
    %69 = stablehlo.transpose %68, dims = [0, 3, 1, 2] : (tensor<2x4x8x24xbf16>) -> tensor<2x24x4x8xbf16>
    %70 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x24xbf16>
    %71 = stablehlo.multiply %67, %70 : tensor<2x4x16x24xbf16>
    %72 = stablehlo.multiply %71, %29 : tensor<2x4x16x24xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %73 = stablehlo.reduce(%72 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x24xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %74 = stablehlo.reshape %73 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %75 = stablehlo.negate %74 : tensor<2x4x16x1xbf16>
    %76 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x24xbf16>
    %77 = stablehlo.divide %67, %76 : tensor<2x4x16x24xbf16>
    %78 = stablehlo.convert %75 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x24xf32>
    %81 = stablehlo.convert %80 : (tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xbf16>
    %82 = stablehlo.add %77, %81 : tensor<2x4x16x24xbf16>
    %83 = stablehlo.multiply %82, %29 : tensor<2x4x16x24xbf16>
    %84 = stablehlo.dot_general %83, %21, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x24xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x24x8xbf16>
    %85 = stablehlo.transpose %84, dims = [0, 2, 1, 3] : (tensor<2x4x24x8xbf16>) -> tensor<2x24x4x8xbf16>
    %86 = stablehlo.dot_general %83, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x24xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %87 = stablehlo.transpose %86, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %88 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %89 = stablehlo.divide %87, %88 : tensor<2x16x4x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %90 = stablehlo.reduce(%69 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x24x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %91 = stablehlo.reshape %90 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %92 = stablehlo.reshape %91 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %93 = stablehlo.dot_general %69, %cst, contracting_dims = [0, 1] x [0, 1] : (tensor<2x24x4x8xbf16>, tensor<2x24x32xbf16>) -> tensor<4x8x32xbf16>
    %94 = stablehlo.transpose %93, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %95 = stablehlo.convert %92 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %96 = stablehlo.convert %94 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %97 = stablehlo.reduce(%85 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x24x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %98 = stablehlo.reshape %97 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %99 = stablehlo.reshape %98 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %100 = stablehlo.dot_general %85, %cst, contracting_dims = [0, 1] x [0, 1] : (tensor<2x24x4x8xbf16>, tensor<2x24x32xbf16>) -> tensor<4x8x32xbf16>
    %101 = stablehlo.transpose %100, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %102 = stablehlo.convert %99 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %103 = stablehlo.convert %101 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %104 = stablehlo.reduce(%89 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %105 = stablehlo.reshape %104 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %106 = stablehlo.reshape %105 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %107 = stablehlo.dot_general %89, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %108 = stablehlo.transpose %107, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %109 = stablehlo.convert %106 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %110 = stablehlo.convert %108 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %53, %102, %103, %64, %65, %109, %110, %95, %96 : tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
  }
}
// expect:
// line 38: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x24
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x24
