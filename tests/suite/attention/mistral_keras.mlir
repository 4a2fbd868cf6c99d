// test: attention
// A window of keys in Keras' grouped attention.
module {
  func.func public @main(%arg0: tensor<32x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<32x2x8xf32>, %arg3: tensor<2x8xf32>, %arg4: tensor<32x2x8xf32>, %arg5: tensor<2x8xf32>, %arg6: tensor<4x8x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %10 = stablehlo.subtract %8, %9 : tensor<16x16xi32>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %12 = stablehlo.compare LT, %10, %11, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %13 = stablehlo.and %5, %12 : tensor<16x16xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<2x16x16xi1>
    %15 = stablehlo.convert %arg0 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %16 = stablehlo.dot_general %arg8, %15, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %17 = stablehlo.convert %arg1 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %18 = stablehlo.broadcast_in_dim %17, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %20 = stablehlo.add %16, %19 : tensor<2x16x4x8xbf16>
    %21 = stablehlo.convert %arg2 : (tensor<32x2x8xf32>) -> tensor<32x2x8xbf16>
    %22 = stablehlo.dot_general %arg8, %21, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %23 = stablehlo.convert %arg3 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %24 = stablehlo.broadcast_in_dim %23, dims = [2, 3] : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %26 = stablehlo.add %22, %25 : tensor<2x16x2x8xbf16>
    %27 = stablehlo.convert %arg4 : (tensor<32x2x8xf32>) -> tensor<32x2x8xbf16>
    %28 = stablehlo.dot_general %arg8, %27, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %29 = stablehlo.convert %arg5 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %30 = stablehlo.broadcast_in_dim %29, dims = [2, 3] : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x1x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    %32 = stablehlo.add %28, %31 : tensor<2x16x2x8xbf16>
    %33 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %34 = stablehlo.reshape %33 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %35 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %36 = stablehlo.reshape %35 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %37 = stablehlo.broadcast_in_dim %14, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %38 = stablehlo.reshape %20 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 3, 4] : (tensor<2x1x16x16xi1>) -> tensor<2x1x1x16x16xi1>
    %40 = stablehlo.dot_general %38, %34, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<2x4x16x1x16xf32>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %43 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<2x4x16x16xi1>
    %44 = stablehlo.broadcast_in_dim %43, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %45 = stablehlo.transpose %39, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x16x16xi1>) -> tensor<1x2x1x16x16xi1>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x16x16xi1>) -> tensor<1x2x4x16x16xi1>
    %47 = stablehlo.and %44, %46 : tensor<1x2x4x16x16xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %48 = call @_where(%47, %42, %cst_1) : (tensor<1x2x4x16x16xi1>, tensor<2x4x16x1x16xf32>, tensor<f32>) -> tensor<1x2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x16xf32>
    %51 = stablehlo.maximum %50, %49 : tensor<1x2x4x16xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %54 = stablehlo.subtract %48, %53 : tensor<1x2x4x16x16xf32>
    %55 = stablehlo.exponential %54 : tensor<1x2x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %59 = stablehlo.divide %55, %58 : tensor<1x2x4x16x16xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<1x2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %62 = stablehlo.divide %61, %60 : tensor<1x2x4x16x1xf32>
    %63 = stablehlo.convert %59 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %64 = stablehlo.dot_general %36, %63, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %65 = stablehlo.transpose %64, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %66 = stablehlo.transpose %65, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %67 = stablehlo.reshape %66 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %68 = stablehlo.convert %arg6 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %69 = stablehlo.dot_general %67, %68, contracting_dims = [3, 2] x [1, 0] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %70 = stablehlo.convert %arg7 : (tensor<32xf32>) -> tensor<32xbf16>
    %71 = stablehlo.broadcast_in_dim %70, dims = [2] : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %73 = stablehlo.add %69, %72 : tensor<2x16x32xbf16>
    %74 = stablehlo.add %arg8, %73 : tensor<2x16x32xbf16>
    %75 = stablehlo.convert %74 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %76 = stablehlo.multiply %75, %75 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %78 = stablehlo.multiply %77, %75 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%76 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %80 = stablehlo.divide %79, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %81 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %83 = stablehlo.multiply %82, %78 : tensor<2x16x32xf32>
    %84 = stablehlo.convert %83 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %85 = stablehlo.reduce(%84 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %86 = stablehlo.reshape %85 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %87 = stablehlo.reduce(%86 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %88 = stablehlo.convert %87 : (tensor<32xbf16>) -> tensor<32xf32>
    %89 = stablehlo.dot_general %84, %67, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %90 = stablehlo.transpose %89, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %91 = stablehlo.dot_general %84, %68, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %92 = stablehlo.convert %90 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %93 = stablehlo.reshape %91 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %94 = stablehlo.transpose %93, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %95 = stablehlo.transpose %94, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %96 = stablehlo.dot_general %95, %36, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %97 = stablehlo.transpose %96, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %98 = stablehlo.dot_general %95, %63, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %99 = stablehlo.transpose %98, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %100 = stablehlo.convert %97 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %101 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %102 = stablehlo.multiply %100, %101 : tensor<1x2x4x16x16xf32>
    %103 = stablehlo.multiply %102, %55 : tensor<1x2x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_13) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %105 = stablehlo.reshape %104 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %106 = stablehlo.negate %105 : tensor<1x2x4x16x1xf32>
    %107 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %108 = stablehlo.divide %100, %107 : tensor<1x2x4x16x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%106 init: %cst_14) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %112 = stablehlo.add %108, %111 : tensor<1x2x4x16x16xf32>
    %113 = stablehlo.multiply %112, %55 : tensor<1x2x4x16x16xf32>
    %114 = call @_where_0(%47, %113) : (tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_15 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %116 = stablehlo.multiply %114, %115 : tensor<2x4x16x1x16xf32>
    %117 = stablehlo.dot_general %116, %38, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %118 = stablehlo.transpose %117, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %119 = stablehlo.convert %118 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %120 = stablehlo.dot_general %116, %34, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %121 = stablehlo.transpose %120, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %122 = stablehlo.convert %121 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %123 = stablehlo.reshape %122 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %124 = stablehlo.reshape %99 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %125 = stablehlo.reduce(%124 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %126 = stablehlo.reshape %119 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %127 = stablehlo.reduce(%126 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %128 = stablehlo.reduce(%125 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %129 = stablehlo.reshape %128 : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %130 = stablehlo.reduce(%129 init: %cst_19) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %131 = stablehlo.convert %130 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %132 = stablehlo.dot_general %125, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xbf16>
    %133 = stablehlo.transpose %132, dims = [2, 0, 1] : (tensor<2x8x32xbf16>) -> tensor<32x2x8xbf16>
    %134 = stablehlo.convert %133 : (tensor<32x2x8xbf16>) -> tensor<32x2x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %135 = stablehlo.reduce(%127 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %136 = stablehlo.reshape %135 : (tensor<2x8xbf16>) -> tensor<1x1x2x8xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %137 = stablehlo.reduce(%136 init: %cst_21) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %138 = stablehlo.convert %137 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %139 = stablehlo.dot_general %127, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xbf16>
    %140 = stablehlo.transpose %139, dims = [2, 0, 1] : (tensor<2x8x32xbf16>) -> tensor<32x2x8xbf16>
    %141 = stablehlo.convert %140 : (tensor<32x2x8xbf16>) -> tensor<32x2x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %142 = stablehlo.reduce(%123 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %143 = stablehlo.reshape %142 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %144 = stablehlo.reduce(%143 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %145 = stablehlo.convert %144 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %146 = stablehlo.dot_general %123, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %147 = stablehlo.transpose %146, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %148 = stablehlo.convert %147 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %80, %148, %145, %141, %138, %134, %131, %92, %88 : tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<32x2x8xf32>, tensor<2x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>
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
// line 66: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 4 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 4 scores 2x4x16x16
