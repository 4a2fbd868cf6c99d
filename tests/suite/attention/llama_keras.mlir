// test: attention
// Grouped attention of Keras.
module {
  func.func public @main(%arg0: tensor<32x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<32x2x8xf32>, %arg3: tensor<2x8xf32>, %arg4: tensor<32x2x8xf32>, %arg5: tensor<2x8xf32>, %arg6: tensor<4x8x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %1 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.convert %arg1 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.add %1, %4 : tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %arg2 : (tensor<32x2x8xf32>) -> tensor<32x2x8xbf16>
    %7 = stablehlo.dot_general %arg8, %6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %8 = stablehlo.convert %arg3 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %11 = stablehlo.add %7, %10 : tensor<2x16x2x8xbf16>
    %12 = stablehlo.convert %arg4 : (tensor<32x2x8xf32>) -> tensor<32x2x8xbf16>
    %13 = stablehlo.dot_general %arg8, %12, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %14 = stablehlo.convert %arg5 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [2, 3] : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %17 = stablehlo.add %13, %16 : tensor<2x16x2x8xbf16>
    %18 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %19 = stablehlo.reshape %18 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %20 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %21 = stablehlo.reshape %20 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %22 = stablehlo.reshape %5 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %23 = stablehlo.dot_general %22, %19, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<2x4x16x1x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %26 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x16x16xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %27 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %28 = call @tril(%27) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %29 = stablehlo.broadcast_in_dim %28, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %31 = stablehlo.and %26, %30 : tensor<2x4x16x16xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %32:2 = call @_where(%31, %25, %cst_1) : (tensor<2x4x16x16xi1>, tensor<2x4x16x1x16xf32>, tensor<f32>) -> (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.reduce(%32#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x16xf32>
    %35 = stablehlo.maximum %34, %33 : tensor<1x2x4x16xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %38 = stablehlo.subtract %32#0, %37 : tensor<1x2x4x16x16xf32>
    %39 = stablehlo.exponential %38 : tensor<1x2x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %43 = stablehlo.divide %39, %42 : tensor<1x2x4x16x16xf32>
    %44 = stablehlo.multiply %41, %41 : tensor<1x2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %46 = stablehlo.divide %45, %44 : tensor<1x2x4x16x1xf32>
    %47 = stablehlo.convert %43 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %48 = stablehlo.dot_general %21, %47, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %49 = stablehlo.transpose %48, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %50 = stablehlo.transpose %49, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %51 = stablehlo.reshape %50 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %52 = stablehlo.convert %arg6 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %53 = stablehlo.dot_general %51, %52, contracting_dims = [3, 2] x [1, 0] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.convert %arg7 : (tensor<32xf32>) -> tensor<32xbf16>
    %55 = stablehlo.broadcast_in_dim %54, dims = [2] : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %57 = stablehlo.add %53, %56 : tensor<2x16x32xbf16>
    %58 = stablehlo.add %arg8, %57 : tensor<2x16x32xbf16>
    %59 = stablehlo.convert %58 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %60 = stablehlo.multiply %59, %59 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %62 = stablehlo.multiply %61, %59 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%60 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %64 = stablehlo.divide %63, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %65 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %67 = stablehlo.multiply %66, %62 : tensor<2x16x32xf32>
    %68 = stablehlo.convert %67 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %69 = stablehlo.reduce(%68 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %70 = stablehlo.reshape %69 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %71 = stablehlo.reduce(%70 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %72 = stablehlo.convert %71 : (tensor<32xbf16>) -> tensor<32xf32>
    %73 = stablehlo.dot_general %68, %51, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %74 = stablehlo.transpose %73, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %75 = stablehlo.dot_general %68, %52, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %76 = stablehlo.convert %74 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %77 = stablehlo.reshape %75 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %78 = stablehlo.transpose %77, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %79 = stablehlo.transpose %78, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %80 = stablehlo.dot_general %79, %21, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %81 = stablehlo.transpose %80, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %82 = stablehlo.dot_general %79, %47, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %83 = stablehlo.transpose %82, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %84 = stablehlo.convert %81 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %85 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %86 = stablehlo.multiply %84, %85 : tensor<1x2x4x16x16xf32>
    %87 = stablehlo.multiply %86, %39 : tensor<1x2x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_13) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %89 = stablehlo.reshape %88 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %90 = stablehlo.negate %89 : tensor<1x2x4x16x1xf32>
    %91 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %92 = stablehlo.divide %84, %91 : tensor<1x2x4x16x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%90 init: %cst_14) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %96 = stablehlo.add %92, %95 : tensor<1x2x4x16x16xf32>
    %97 = stablehlo.multiply %96, %39 : tensor<1x2x4x16x16xf32>
    %98 = call @_where_0(%32#1, %97) : (tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_15 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %100 = stablehlo.multiply %98, %99 : tensor<2x4x16x1x16xf32>
    %101 = stablehlo.dot_general %100, %22, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %102 = stablehlo.transpose %101, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %103 = stablehlo.convert %102 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %104 = stablehlo.dot_general %100, %19, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %105 = stablehlo.transpose %104, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %106 = stablehlo.convert %105 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %107 = stablehlo.reshape %106 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %108 = stablehlo.reshape %83 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %109 = stablehlo.reduce(%108 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %110 = stablehlo.reshape %103 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %111 = stablehlo.reduce(%110 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %112 = stablehlo.reduce(%109 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %113 = stablehlo.reshape %112 : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %114 = stablehlo.reduce(%113 init: %cst_19) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %115 = stablehlo.convert %114 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %116 = stablehlo.dot_general %109, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xbf16>
    %117 = stablehlo.transpose %116, dims = [2, 0, 1] : (tensor<2x8x32xbf16>) -> tensor<32x2x8xbf16>
    %118 = stablehlo.convert %117 : (tensor<32x2x8xbf16>) -> tensor<32x2x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %119 = stablehlo.reduce(%111 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %120 = stablehlo.reshape %119 : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %121 = stablehlo.reduce(%120 init: %cst_21) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %122 = stablehlo.convert %121 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %123 = stablehlo.dot_general %111, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xbf16>
    %124 = stablehlo.transpose %123, dims = [2, 0, 1] : (tensor<2x8x32xbf16>) -> tensor<32x2x8xbf16>
    %125 = stablehlo.convert %124 : (tensor<32x2x8xbf16>) -> tensor<32x2x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %126 = stablehlo.reduce(%107 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %127 = stablehlo.reshape %126 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %128 = stablehlo.reduce(%127 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %129 = stablehlo.convert %128 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %130 = stablehlo.dot_general %107, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %131 = stablehlo.transpose %130, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %132 = stablehlo.convert %131 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %64, %132, %129, %125, %122, %118, %115, %76, %72 : tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x1x16xf32>, %arg2: tensor<f32>) -> (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x16x1x16xf32>) -> tensor<1x2x4x16x16xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>
    return %4, %1 : tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x4x16x16xi1>, %arg1: tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    return %2 : tensor<2x4x16x1x16xf32>
  }
}
// expect:
// line 50: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
