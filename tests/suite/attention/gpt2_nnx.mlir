// test: attention
// Causal attention of Flax NNX: a mask of floats.
module {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<32x4x8xf32>, %arg2: tensor<32xf32>, %arg3: tensor<4x8x32xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<32x4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<32x4x8xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %8 = stablehlo.convert %7 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %9 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %10 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %11 = stablehlo.dot_general %arg8, %9, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %12 = stablehlo.reshape %10 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %14 = stablehlo.add %11, %13 : tensor<2x16x4x8xbf16>
    %15 = stablehlo.convert %arg1 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %16 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %17 = stablehlo.dot_general %arg8, %15, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %18 = stablehlo.reshape %16 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %20 = stablehlo.add %17, %19 : tensor<2x16x4x8xbf16>
    %21 = stablehlo.convert %arg7 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %22 = stablehlo.convert %arg6 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %23 = stablehlo.dot_general %arg8, %21, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %24 = stablehlo.reshape %22 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %26 = stablehlo.add %23, %25 : tensor<2x16x4x8xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %28 = stablehlo.compare NE, %8, %27, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %29 = stablehlo.convert %28 : tensor<2x1x16x16xi1>
    %30 = stablehlo.reshape %14 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 3, 4] : (tensor<2x1x16x16xi1>) -> tensor<2x1x1x16x16xi1>
    %32 = stablehlo.dot_general %30, %20, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst_0 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<2x4x16x1x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %35 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x16x16xi1>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %37 = stablehlo.transpose %31, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x16x16xi1>) -> tensor<1x2x1x16x16xi1>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %39 = stablehlo.and %36, %38 : tensor<1x2x4x16x16xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %40 = call @_where(%39, %34, %cst_1) : (tensor<1x2x4x16x16xi1>, tensor<2x4x16x1x16xf32>, tensor<f32>) -> tensor<1x2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x16xf32>
    %43 = stablehlo.maximum %42, %41 : tensor<1x2x4x16xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %46 = stablehlo.subtract %40, %45 : tensor<1x2x4x16x16xf32>
    %47 = stablehlo.exponential %46 : tensor<1x2x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %51 = stablehlo.divide %47, %50 : tensor<1x2x4x16x16xf32>
    %52 = stablehlo.multiply %49, %49 : tensor<1x2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %54 = stablehlo.divide %53, %52 : tensor<1x2x4x16x1xf32>
    %55 = stablehlo.convert %51 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %56 = stablehlo.dot_general %26, %55, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %57 = stablehlo.transpose %56, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %58 = stablehlo.transpose %57, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.convert %arg3 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %61 = stablehlo.convert %arg2 : (tensor<32xf32>) -> tensor<32xbf16>
    %62 = stablehlo.dot_general %59, %60, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %63 = stablehlo.reshape %61 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %65 = stablehlo.add %62, %64 : tensor<2x16x32xbf16>
    %66 = stablehlo.add %arg8, %65 : tensor<2x16x32xbf16>
    %67 = stablehlo.convert %66 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %68 = stablehlo.multiply %67, %67 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %70 = stablehlo.multiply %69, %67 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%68 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %72 = stablehlo.divide %71, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %73 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %75 = stablehlo.multiply %74, %70 : tensor<2x16x32xf32>
    %76 = stablehlo.convert %75 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %77 = stablehlo.reduce(%76 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %78 = stablehlo.reshape %77 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %79 = stablehlo.reshape %78 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %80 = stablehlo.dot_general %76, %59, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %81 = stablehlo.transpose %80, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %82 = stablehlo.dot_general %76, %60, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %83 = stablehlo.convert %79 : (tensor<32xbf16>) -> tensor<32xf32>
    %84 = stablehlo.convert %81 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %85 = stablehlo.reshape %82 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %86 = stablehlo.transpose %85, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %88 = stablehlo.dot_general %87, %26, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %89 = stablehlo.transpose %88, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %90 = stablehlo.dot_general %87, %55, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %91 = stablehlo.transpose %90, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %92 = stablehlo.convert %89 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %93 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %94 = stablehlo.multiply %92, %93 : tensor<1x2x4x16x16xf32>
    %95 = stablehlo.multiply %94, %47 : tensor<1x2x4x16x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%95 init: %cst_12) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %98 = stablehlo.negate %97 : tensor<1x2x4x16x1xf32>
    %99 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %100 = stablehlo.divide %92, %99 : tensor<1x2x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.reduce(%98 init: %cst_13) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %104 = stablehlo.add %100, %103 : tensor<1x2x4x16x16xf32>
    %105 = stablehlo.multiply %104, %47 : tensor<1x2x4x16x16xf32>
    %106 = call @_where_0(%39, %105) : (tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_14 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %108 = stablehlo.multiply %106, %107 : tensor<2x4x16x1x16xf32>
    %109 = stablehlo.dot_general %108, %30, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %110 = stablehlo.transpose %109, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %111 = stablehlo.convert %110 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %112 = stablehlo.dot_general %108, %20, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %113 = stablehlo.transpose %112, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %114 = stablehlo.convert %113 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %115 = stablehlo.reshape %114 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %116 = stablehlo.reduce(%91 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %117 = stablehlo.reshape %116 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %118 = stablehlo.reshape %117 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %119 = stablehlo.dot_general %91, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %120 = stablehlo.transpose %119, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %121 = stablehlo.convert %118 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %122 = stablehlo.convert %120 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %123 = stablehlo.reduce(%111 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %124 = stablehlo.reshape %123 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %125 = stablehlo.reshape %124 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %126 = stablehlo.dot_general %111, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %127 = stablehlo.transpose %126, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %128 = stablehlo.convert %125 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %129 = stablehlo.convert %127 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %130 = stablehlo.reduce(%115 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %131 = stablehlo.reshape %130 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %132 = stablehlo.reshape %131 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %133 = stablehlo.dot_general %115, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %134 = stablehlo.transpose %133, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %135 = stablehlo.convert %132 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %136 = stablehlo.convert %134 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %72, %128, %129, %83, %84, %135, %136, %121, %122 : tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x16x16xi1>, %arg1: tensor<2x4x16x1x16xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x16x1x16xf32>) -> tensor<1x2x4x16x16xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>
    return %3 : tensor<1x2x4x16x16xf32>
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
// line 58: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
