// test: attention
// Cross attention of Equinox.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<2x24x32xbf16>
    %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %arg1, %cst, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x24x32xbf16>) -> tensor<32x2x24xbf16>
    %4 = stablehlo.transpose %3, dims = [1, 2, 0] : (tensor<32x2x24xbf16>) -> tensor<2x24x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x24x32xbf16>) -> tensor<2x24x4x8xbf16>
    %6 = stablehlo.dot_general %arg2, %cst, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x24x32xbf16>) -> tensor<32x2x24xbf16>
    %7 = stablehlo.transpose %6, dims = [1, 2, 0] : (tensor<32x2x24xbf16>) -> tensor<2x24x32xbf16>
    %8 = stablehlo.reshape %7 : (tensor<2x24x32xbf16>) -> tensor<2x24x4x8xbf16>
    %cst_0 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %10 = stablehlo.divide %2, %9 : tensor<2x16x4x8xbf16>
    %11 = stablehlo.dot_general %10, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x24xbf16>
    %12 = stablehlo.convert %11 : (tensor<2x4x16x24xbf16>) -> tensor<2x4x16x24xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x24xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x24xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x16x24xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x16x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x24xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x24xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x16x24xf32>
    %24 = stablehlo.multiply %21, %21 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.divide %25, %24 : tensor<2x4x16x1xf32>
    %27 = stablehlo.convert %23 : (tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xbf16>
    %28 = stablehlo.dot_general %27, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x24xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %29 = stablehlo.transpose %28, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %30 = stablehlo.reshape %29 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %31 = stablehlo.dot_general %arg3, %30, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %32 = stablehlo.transpose %31, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %33 = stablehlo.add %arg4, %32 : tensor<2x16x32xbf16>
    %34 = stablehlo.convert %33 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %35 = stablehlo.multiply %34, %34 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%35 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %39 = stablehlo.divide %38, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %40 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %42 = stablehlo.multiply %41, %37 : tensor<2x16x32xf32>
    %43 = stablehlo.convert %42 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %44 = stablehlo.transpose %43, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %45 = stablehlo.dot_general %44, %arg3, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.dot_general %44, %30, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %47 = stablehlo.reshape %45 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.transpose %47, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %49 = stablehlo.dot_general %48, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x24xbf16>) -> tensor<2x4x8x24xbf16>
    %50 = stablehlo.transpose %49, dims = [0, 3, 1, 2] : (tensor<2x4x8x24xbf16>) -> tensor<2x24x4x8xbf16>
    %51 = stablehlo.dot_general %48, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x16x8xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x24xbf16>
    %52 = stablehlo.convert %51 : (tensor<2x4x16x24xbf16>) -> tensor<2x4x16x24xf32>
    %53 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x24xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x4x16x24xf32>
    %55 = stablehlo.multiply %54, %19 : tensor<2x4x16x24xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x24xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %57 = stablehlo.reshape %56 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %58 = stablehlo.negate %57 : tensor<2x4x16x1xf32>
    %59 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x24xf32>
    %60 = stablehlo.divide %52, %59 : tensor<2x4x16x24xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%58 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x24xf32>
    %63 = stablehlo.add %60, %62 : tensor<2x4x16x24xf32>
    %64 = stablehlo.multiply %63, %19 : tensor<2x4x16x24xf32>
    %65 = stablehlo.convert %64 : (tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xbf16>
    %66 = stablehlo.dot_general %65, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x24xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x24x8xbf16>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1, 3] : (tensor<2x4x24x8xbf16>) -> tensor<2x24x4x8xbf16>
    %68 = stablehlo.dot_general %65, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x24xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %69 = stablehlo.transpose %68, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_12 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %70 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %71 = stablehlo.divide %69, %70 : tensor<2x16x4x8xbf16>
    %72 = stablehlo.reshape %50 : (tensor<2x24x4x8xbf16>) -> tensor<2x24x32xbf16>
    %73 = stablehlo.transpose %72, dims = [2, 0, 1] : (tensor<2x24x32xbf16>) -> tensor<32x2x24xbf16>
    %74 = stablehlo.dot_general %73, %cst, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x24xbf16>, tensor<2x24x32xbf16>) -> tensor<32x32xbf16>
    %75 = stablehlo.reshape %67 : (tensor<2x24x4x8xbf16>) -> tensor<2x24x32xbf16>
    %76 = stablehlo.transpose %75, dims = [2, 0, 1] : (tensor<2x24x32xbf16>) -> tensor<32x2x24xbf16>
    %77 = stablehlo.dot_general %76, %cst, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x24xbf16>, tensor<2x24x32xbf16>) -> tensor<32x32xbf16>
    %78 = stablehlo.reshape %71 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %79 = stablehlo.transpose %78, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %80 = stablehlo.dot_general %79, %arg4, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    return %39, %80, %77, %74, %46 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect:
// line 28: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x24
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 NO_MASK window 0 scores 2x4x16x24
