// test: attention
// Cross attention, by `jax.nn.dot_product_attention`.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<2x24x32xbf16>
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %cst, %arg0, contracting_dims = [2] x [0] : (tensor<2x24x32xbf16>, tensor<32x32xbf16>) -> tensor<2x24x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x24x32xbf16>) -> tensor<2x24x4x8xbf16>
    %4 = stablehlo.dot_general %cst, %arg3, contracting_dims = [2] x [0] : (tensor<2x24x32xbf16>, tensor<32x32xbf16>) -> tensor<2x24x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x24x32xbf16>) -> tensor<2x24x4x8xbf16>
    %6 = stablehlo.reshape %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %7 = stablehlo.dot_general %6, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x1x24xf32>
    %cst_0 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x24xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x16x1x24xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x16x1x24xf32>, tensor<f32>) -> tensor<2x4x16x1xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x16x1xf32>
    %13 = stablehlo.transpose %12, dims = [3, 0, 1, 2] : (tensor<2x4x16x1xf32>) -> tensor<1x2x4x16xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %15 = stablehlo.transpose %9, dims = [3, 0, 1, 2, 4] : (tensor<2x4x16x1x24xf32>) -> tensor<1x2x4x16x24xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x24xf32>
    %17 = stablehlo.subtract %15, %16 : tensor<1x2x4x16x24xf32>
    %18 = stablehlo.exponential %17 : tensor<1x2x4x16x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x24xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x24xf32>
    %22 = stablehlo.divide %18, %21 : tensor<1x2x4x16x24xf32>
    %23 = stablehlo.multiply %20, %20 : tensor<1x2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %25 = stablehlo.divide %24, %23 : tensor<1x2x4x16x1xf32>
    %26 = stablehlo.convert %22 : (tensor<1x2x4x16x24xf32>) -> tensor<1x2x4x16x24xbf16>
    %27 = stablehlo.dot_general %5, %26, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x24x4x8xbf16>, tensor<1x2x4x16x24xbf16>) -> tensor<2x4x8x1x16xbf16>
    %28 = stablehlo.transpose %27, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %29 = stablehlo.transpose %28, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %30 = stablehlo.reshape %29 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %31 = stablehlo.reshape %30 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %32 = stablehlo.dot_general %31, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
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
    %44 = stablehlo.dot_general %43, %31, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %45 = stablehlo.transpose %44, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %46 = stablehlo.dot_general %43, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.reshape %46 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.reshape %47 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %49 = stablehlo.transpose %48, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %50 = stablehlo.transpose %49, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %51 = stablehlo.dot_general %50, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x24x4x8xbf16>) -> tensor<2x4x1x16x24xbf16>
    %52 = stablehlo.transpose %51, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x24xbf16>) -> tensor<1x2x4x16x24xbf16>
    %53 = stablehlo.dot_general %50, %26, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x24xbf16>) -> tensor<2x4x8x24xbf16>
    %54 = stablehlo.transpose %53, dims = [0, 3, 1, 2] : (tensor<2x4x8x24xbf16>) -> tensor<2x24x4x8xbf16>
    %55 = stablehlo.convert %52 : (tensor<1x2x4x16x24xbf16>) -> tensor<1x2x4x16x24xf32>
    %56 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x24xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<1x2x4x16x24xf32>
    %58 = stablehlo.multiply %57, %18 : tensor<1x2x4x16x24xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x24xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %60 = stablehlo.reshape %59 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %61 = stablehlo.negate %60 : tensor<1x2x4x16x1xf32>
    %62 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x24xf32>
    %63 = stablehlo.divide %55, %62 : tensor<1x2x4x16x24xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%61 init: %cst_11) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x24xf32>
    %67 = stablehlo.add %63, %66 : tensor<1x2x4x16x24xf32>
    %68 = stablehlo.multiply %67, %18 : tensor<1x2x4x16x24xf32>
    %69 = stablehlo.transpose %68, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x16x24xf32>) -> tensor<2x4x16x1x24xf32>
    %cst_12 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x24xf32>
    %71 = stablehlo.multiply %69, %70 : tensor<2x4x16x1x24xf32>
    %72 = stablehlo.dot_general %71, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x24xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x24x8xf32>
    %73 = stablehlo.transpose %72, dims = [0, 2, 1, 3] : (tensor<2x4x24x8xf32>) -> tensor<2x24x4x8xf32>
    %74 = stablehlo.convert %73 : (tensor<2x24x4x8xf32>) -> tensor<2x24x4x8xbf16>
    %75 = stablehlo.dot_general %71, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x24xf32>, tensor<2x24x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %76 = stablehlo.transpose %75, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %77 = stablehlo.convert %76 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %78 = stablehlo.reshape %77 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %79 = stablehlo.reshape %54 : (tensor<2x24x4x8xbf16>) -> tensor<2x24x32xbf16>
    %80 = stablehlo.dot_general %79, %cst, contracting_dims = [0, 1] x [0, 1] : (tensor<2x24x32xbf16>, tensor<2x24x32xbf16>) -> tensor<32x32xbf16>
    %81 = stablehlo.transpose %80, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %82 = stablehlo.reshape %74 : (tensor<2x24x4x8xbf16>) -> tensor<2x24x32xbf16>
    %83 = stablehlo.dot_general %82, %cst, contracting_dims = [0, 1] x [0, 1] : (tensor<2x24x32xbf16>, tensor<2x24x32xbf16>) -> tensor<32x32xbf16>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %85 = stablehlo.reshape %78 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %86 = stablehlo.dot_general %85, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %39, %84, %45, %87, %81 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
// expect:
// line 27: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x24
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x24x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x24
