// test: attention
// Masks of padding and of the future in one.
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
    %9 = stablehlo.slice %arg8 [0:2, 0:16, 0:1] : (tensor<2x16x32xbf16>) -> tensor<2x16x1xbf16>
    %10 = stablehlo.reshape %9 : (tensor<2x16x1xbf16>) -> tensor<2x16xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x16xbf16>
    %12 = stablehlo.compare GT, %10, %11, FLOAT : (tensor<2x16xbf16>, tensor<2x16xbf16>) -> tensor<2x16xi1>
    %13 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %15 = stablehlo.compare EQ, %13, %14, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<16xi1>) -> tensor<1x16xi1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x16xi1>) -> tensor<2x16xi1>
    %18 = stablehlo.or %12, %17 : tensor<2x16xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %19 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<2x16xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x16xi1>) -> tensor<2x16x1xi1>
    %21 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<2x16xi1>) -> tensor<2x1x16xi1>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x16x1xi1>) -> tensor<2x16x16xi1>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x1x16xi1>) -> tensor<2x16x16xi1>
    %24 = stablehlo.and %22, %23 : tensor<2x16x16xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %26 = stablehlo.convert %25 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %28 = stablehlo.compare NE, %8, %27, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %30 = stablehlo.compare NE, %26, %29, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %31 = stablehlo.and %28, %30 : tensor<2x1x16x16xi1>
    %32 = stablehlo.convert %31 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %33 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %34 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %35 = stablehlo.dot_general %arg8, %33, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %36 = stablehlo.reshape %34 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %38 = stablehlo.add %35, %37 : tensor<2x16x4x8xbf16>
    %39 = stablehlo.convert %arg1 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %40 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %41 = stablehlo.dot_general %arg8, %39, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %42 = stablehlo.reshape %40 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %44 = stablehlo.add %41, %43 : tensor<2x16x4x8xbf16>
    %45 = stablehlo.convert %arg7 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %46 = stablehlo.convert %arg6 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %47 = stablehlo.dot_general %arg8, %45, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.reshape %46 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %50 = stablehlo.add %47, %49 : tensor<2x16x4x8xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %52 = stablehlo.compare NE, %32, %51, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %53 = stablehlo.convert %52 : tensor<2x1x16x16xi1>
    %54 = stablehlo.reshape %38 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 3, 4] : (tensor<2x1x16x16xi1>) -> tensor<2x1x1x16x16xi1>
    %56 = stablehlo.dot_general %54, %44, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst_4 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<2x4x16x1x16xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %59 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<2x4x16x16xi1>
    %60 = stablehlo.broadcast_in_dim %59, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %61 = stablehlo.transpose %55, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x16x16xi1>) -> tensor<1x2x1x16x16xi1>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %63 = stablehlo.and %60, %62 : tensor<1x2x4x16x16xi1>
    %cst_6 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %64 = call @_where(%63, %58, %cst_6) : (tensor<1x2x4x16x16xi1>, tensor<2x4x16x1x16xf32>, tensor<f32>) -> tensor<1x2x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_7) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2x4x16xf32>
    %67 = stablehlo.maximum %66, %65 : tensor<1x2x4x16xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %70 = stablehlo.subtract %64, %69 : tensor<1x2x4x16x16xf32>
    %71 = stablehlo.exponential %70 : tensor<1x2x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %75 = stablehlo.divide %71, %74 : tensor<1x2x4x16x16xf32>
    %76 = stablehlo.multiply %73, %73 : tensor<1x2x4x16x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %78 = stablehlo.divide %77, %76 : tensor<1x2x4x16x1xf32>
    %79 = stablehlo.convert %75 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %80 = stablehlo.dot_general %50, %79, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %81 = stablehlo.transpose %80, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %82 = stablehlo.transpose %81, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %83 = stablehlo.reshape %82 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %84 = stablehlo.convert %arg3 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %85 = stablehlo.convert %arg2 : (tensor<32xf32>) -> tensor<32xbf16>
    %86 = stablehlo.dot_general %83, %84, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %87 = stablehlo.reshape %85 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %89 = stablehlo.add %86, %88 : tensor<2x16x32xbf16>
    %90 = stablehlo.add %arg8, %89 : tensor<2x16x32xbf16>
    %91 = stablehlo.convert %90 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %92 = stablehlo.multiply %91, %91 : tensor<2x16x32xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %94 = stablehlo.multiply %93, %91 : tensor<2x16x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%92 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %96 = stablehlo.divide %95, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %97 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %99 = stablehlo.multiply %98, %94 : tensor<2x16x32xf32>
    %100 = stablehlo.convert %99 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %101 = stablehlo.reduce(%100 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %102 = stablehlo.reshape %101 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %103 = stablehlo.reshape %102 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %104 = stablehlo.dot_general %100, %83, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %105 = stablehlo.transpose %104, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %106 = stablehlo.dot_general %100, %84, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %107 = stablehlo.convert %103 : (tensor<32xbf16>) -> tensor<32xf32>
    %108 = stablehlo.convert %105 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %109 = stablehlo.reshape %106 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %110 = stablehlo.transpose %109, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %111 = stablehlo.transpose %110, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %112 = stablehlo.dot_general %111, %50, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %113 = stablehlo.transpose %112, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %114 = stablehlo.dot_general %111, %79, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %115 = stablehlo.transpose %114, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %116 = stablehlo.convert %113 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %117 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %118 = stablehlo.multiply %116, %117 : tensor<1x2x4x16x16xf32>
    %119 = stablehlo.multiply %118, %71 : tensor<1x2x4x16x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_17) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %121 = stablehlo.reshape %120 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %122 = stablehlo.negate %121 : tensor<1x2x4x16x1xf32>
    %123 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %124 = stablehlo.divide %116, %123 : tensor<1x2x4x16x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%122 init: %cst_18) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %128 = stablehlo.add %124, %127 : tensor<1x2x4x16x16xf32>
    %129 = stablehlo.multiply %128, %71 : tensor<1x2x4x16x16xf32>
    %130 = call @_where_0(%63, %129) : (tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_19 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %132 = stablehlo.multiply %130, %131 : tensor<2x4x16x1x16xf32>
    %133 = stablehlo.dot_general %132, %54, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %134 = stablehlo.transpose %133, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %135 = stablehlo.convert %134 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %136 = stablehlo.dot_general %132, %44, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %137 = stablehlo.transpose %136, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %138 = stablehlo.convert %137 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %139 = stablehlo.reshape %138 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %140 = stablehlo.reduce(%115 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %141 = stablehlo.reshape %140 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %142 = stablehlo.reshape %141 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %143 = stablehlo.dot_general %115, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %144 = stablehlo.transpose %143, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %145 = stablehlo.convert %142 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %146 = stablehlo.convert %144 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %147 = stablehlo.reduce(%135 init: %cst_21) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %148 = stablehlo.reshape %147 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %149 = stablehlo.reshape %148 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %150 = stablehlo.dot_general %135, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %151 = stablehlo.transpose %150, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %152 = stablehlo.convert %149 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %153 = stablehlo.convert %151 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %154 = stablehlo.reduce(%139 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %155 = stablehlo.reshape %154 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %156 = stablehlo.reshape %155 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %157 = stablehlo.dot_general %139, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %158 = stablehlo.transpose %157, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %159 = stablehlo.convert %156 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %160 = stablehlo.convert %158 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %96, %152, %153, %107, %108, %159, %160, %145, %146 : tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
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
// line 87: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 NO_MASK window 0 scores 2x4x16x16
