// test: attention
// Without a mask, in Flax NNX.
module {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<32x4x8xf32>, %arg2: tensor<32xf32>, %arg3: tensor<4x8x32xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<32x4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<32x4x8xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) {
    %0 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %1 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %2 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.reshape %1 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %arg1 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %7 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %8 = stablehlo.dot_general %arg8, %6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %9 = stablehlo.reshape %7 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2x16x4x8xbf16>
    %12 = stablehlo.convert %arg7 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %13 = stablehlo.convert %arg6 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %14 = stablehlo.dot_general %arg8, %12, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %15 = stablehlo.reshape %13 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %17 = stablehlo.add %14, %16 : tensor<2x16x4x8xbf16>
    %18 = stablehlo.reshape %5 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %19 = stablehlo.dot_general %18, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x4x16x1x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x16x1x16xf32>, tensor<f32>) -> tensor<2x4x16x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<2x4x16x1xf32>
    %25 = stablehlo.transpose %24, dims = [3, 0, 1, 2] : (tensor<2x4x16x1xf32>) -> tensor<1x2x4x16xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %27 = stablehlo.transpose %21, dims = [3, 0, 1, 2, 4] : (tensor<2x4x16x1x16xf32>) -> tensor<1x2x4x16x16xf32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %29 = stablehlo.subtract %27, %28 : tensor<1x2x4x16x16xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x4x16x16xf32>
    %35 = stablehlo.multiply %32, %32 : tensor<1x2x4x16x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %37 = stablehlo.divide %36, %35 : tensor<1x2x4x16x1xf32>
    %38 = stablehlo.convert %34 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %39 = stablehlo.dot_general %17, %38, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %40 = stablehlo.transpose %39, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %41 = stablehlo.transpose %40, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %42 = stablehlo.reshape %41 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %43 = stablehlo.convert %arg3 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %44 = stablehlo.convert %arg2 : (tensor<32xf32>) -> tensor<32xbf16>
    %45 = stablehlo.dot_general %42, %43, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.reshape %44 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %48 = stablehlo.add %45, %47 : tensor<2x16x32xbf16>
    %49 = stablehlo.add %arg8, %48 : tensor<2x16x32xbf16>
    %50 = stablehlo.convert %49 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %51 = stablehlo.multiply %50, %50 : tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %53 = stablehlo.multiply %52, %50 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%51 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %55 = stablehlo.divide %54, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %56 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %58 = stablehlo.multiply %57, %53 : tensor<2x16x32xf32>
    %59 = stablehlo.convert %58 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %60 = stablehlo.reduce(%59 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %61 = stablehlo.reshape %60 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %62 = stablehlo.reshape %61 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %63 = stablehlo.dot_general %59, %42, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %64 = stablehlo.transpose %63, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %65 = stablehlo.dot_general %59, %43, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %66 = stablehlo.convert %62 : (tensor<32xbf16>) -> tensor<32xf32>
    %67 = stablehlo.convert %64 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %68 = stablehlo.reshape %65 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %69 = stablehlo.transpose %68, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %71 = stablehlo.dot_general %70, %17, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %72 = stablehlo.transpose %71, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %73 = stablehlo.dot_general %70, %38, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %74 = stablehlo.transpose %73, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %75 = stablehlo.convert %72 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %76 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %77 = stablehlo.multiply %75, %76 : tensor<1x2x4x16x16xf32>
    %78 = stablehlo.multiply %77, %30 : tensor<1x2x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %80 = stablehlo.reshape %79 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %81 = stablehlo.negate %80 : tensor<1x2x4x16x1xf32>
    %82 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %83 = stablehlo.divide %75, %82 : tensor<1x2x4x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%81 init: %cst_11) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %87 = stablehlo.add %83, %86 : tensor<1x2x4x16x16xf32>
    %88 = stablehlo.multiply %87, %30 : tensor<1x2x4x16x16xf32>
    %89 = stablehlo.transpose %88, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_12 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %91 = stablehlo.multiply %89, %90 : tensor<2x4x16x1x16xf32>
    %92 = stablehlo.dot_general %91, %18, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %94 = stablehlo.convert %93 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %95 = stablehlo.dot_general %91, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %96 = stablehlo.transpose %95, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %97 = stablehlo.convert %96 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %98 = stablehlo.reshape %97 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %99 = stablehlo.reduce(%74 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %100 = stablehlo.reshape %99 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %101 = stablehlo.reshape %100 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %102 = stablehlo.dot_general %74, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %103 = stablehlo.transpose %102, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %104 = stablehlo.convert %101 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %105 = stablehlo.convert %103 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %106 = stablehlo.reduce(%94 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %107 = stablehlo.reshape %106 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %108 = stablehlo.reshape %107 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %109 = stablehlo.dot_general %94, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %110 = stablehlo.transpose %109, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %111 = stablehlo.convert %108 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %112 = stablehlo.convert %110 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %113 = stablehlo.reduce(%98 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %114 = stablehlo.reshape %113 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %115 = stablehlo.reshape %114 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %116 = stablehlo.dot_general %98, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %117 = stablehlo.transpose %116, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %118 = stablehlo.convert %115 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %119 = stablehlo.convert %117 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %55, %111, %112, %66, %67, %118, %119, %104, %105 : tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
  }
}
// expect:
// line 38: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x16
