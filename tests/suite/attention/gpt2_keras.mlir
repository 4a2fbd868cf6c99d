// test: attention
// Causal attention of Keras.
module {
  func.func public @main(%arg0: tensor<32x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<32x4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<32x4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %1 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.convert %arg1 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.add %1, %4 : tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %arg2 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %7 = stablehlo.dot_general %arg8, %6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.convert %arg3 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %11 = stablehlo.add %7, %10 : tensor<2x16x4x8xbf16>
    %12 = stablehlo.convert %arg4 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %13 = stablehlo.dot_general %arg8, %12, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %14 = stablehlo.convert %arg5 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %17 = stablehlo.add %13, %16 : tensor<2x16x4x8xbf16>
    %18 = stablehlo.reshape %5 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %19 = stablehlo.dot_general %18, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x4x1x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x4x16x1x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %22 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x16x16xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %23 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %24 = call @tril(%23) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %27 = stablehlo.and %22, %26 : tensor<2x4x16x16xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %28:2 = call @_where(%27, %21, %cst_1) : (tensor<2x4x16x16xi1>, tensor<2x4x16x1x16xf32>, tensor<f32>) -> (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%28#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x16xf32>
    %31 = stablehlo.maximum %30, %29 : tensor<1x2x4x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %34 = stablehlo.subtract %28#0, %33 : tensor<1x2x4x16x16xf32>
    %35 = stablehlo.exponential %34 : tensor<1x2x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %39 = stablehlo.divide %35, %38 : tensor<1x2x4x16x16xf32>
    %40 = stablehlo.multiply %37, %37 : tensor<1x2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %42 = stablehlo.divide %41, %40 : tensor<1x2x4x16x1xf32>
    %43 = stablehlo.convert %39 : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xbf16>
    %44 = stablehlo.dot_general %17, %43, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x4x8xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x1x16xbf16>
    %45 = stablehlo.transpose %44, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x16xbf16>) -> tensor<1x2x16x4x8xbf16>
    %46 = stablehlo.transpose %45, dims = [1, 2, 3, 0, 4] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %47 = stablehlo.reshape %46 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %48 = stablehlo.convert %arg6 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %49 = stablehlo.dot_general %47, %48, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %50 = stablehlo.convert %arg7 : (tensor<32xf32>) -> tensor<32xbf16>
    %51 = stablehlo.broadcast_in_dim %50, dims = [2] : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %53 = stablehlo.add %49, %52 : tensor<2x16x32xbf16>
    %54 = stablehlo.add %arg8, %53 : tensor<2x16x32xbf16>
    %55 = stablehlo.convert %54 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %56 = stablehlo.multiply %55, %55 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %58 = stablehlo.multiply %57, %55 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%56 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %60 = stablehlo.divide %59, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %61 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %63 = stablehlo.multiply %62, %58 : tensor<2x16x32xf32>
    %64 = stablehlo.convert %63 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %65 = stablehlo.reduce(%64 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %66 = stablehlo.reshape %65 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %67 = stablehlo.reduce(%66 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %68 = stablehlo.convert %67 : (tensor<32xbf16>) -> tensor<32xf32>
    %69 = stablehlo.dot_general %64, %47, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %71 = stablehlo.dot_general %64, %48, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %72 = stablehlo.convert %70 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %73 = stablehlo.reshape %71 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x1x8xbf16>
    %74 = stablehlo.transpose %73, dims = [3, 0, 1, 2, 4] : (tensor<2x16x4x1x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 3, 4, 0, 2] : (tensor<1x2x16x4x8xbf16>) -> tensor<2x4x8x1x16xbf16>
    %76 = stablehlo.dot_general %75, %17, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x1x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x1x16x16xbf16>
    %77 = stablehlo.transpose %76, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %78 = stablehlo.dot_general %75, %43, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xbf16>, tensor<1x2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %79 = stablehlo.transpose %78, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %80 = stablehlo.convert %77 : (tensor<1x2x4x16x16xbf16>) -> tensor<1x2x4x16x16xf32>
    %81 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %82 = stablehlo.multiply %80, %81 : tensor<1x2x4x16x16xf32>
    %83 = stablehlo.multiply %82, %35 : tensor<1x2x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_13) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %85 = stablehlo.reshape %84 : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %86 = stablehlo.negate %85 : tensor<1x2x4x16x1xf32>
    %87 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %88 = stablehlo.divide %80, %87 : tensor<1x2x4x16x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.reduce(%86 init: %cst_14) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [1, 2, 3] : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %92 = stablehlo.add %88, %91 : tensor<1x2x4x16x16xf32>
    %93 = stablehlo.multiply %92, %35 : tensor<1x2x4x16x16xf32>
    %94 = call @_where_0(%28#1, %93) : (tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %cst_15 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %96 = stablehlo.multiply %94, %95 : tensor<2x4x16x1x16xf32>
    %97 = stablehlo.dot_general %96, %18, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xbf16>) -> tensor<2x4x16x8xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %99 = stablehlo.convert %98 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %100 = stablehlo.dot_general %96, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x1x8xf32>
    %101 = stablehlo.transpose %100, dims = [0, 2, 1, 3, 4] : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %102 = stablehlo.convert %101 : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x1x8xbf16>
    %103 = stablehlo.reshape %102 : (tensor<2x16x4x1x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %104 = stablehlo.reduce(%79 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %105 = stablehlo.reshape %104 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %106 = stablehlo.reduce(%105 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %107 = stablehlo.convert %106 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %108 = stablehlo.dot_general %79, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %109 = stablehlo.transpose %108, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %110 = stablehlo.convert %109 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %111 = stablehlo.reduce(%99 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %112 = stablehlo.reshape %111 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %113 = stablehlo.reduce(%112 init: %cst_19) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %114 = stablehlo.convert %113 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %115 = stablehlo.dot_general %99, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %116 = stablehlo.transpose %115, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %117 = stablehlo.convert %116 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %118 = stablehlo.reduce(%103 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %119 = stablehlo.reshape %118 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %120 = stablehlo.reduce(%119 init: %cst_21) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %121 = stablehlo.convert %120 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %122 = stablehlo.dot_general %103, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %123 = stablehlo.transpose %122, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %124 = stablehlo.convert %123 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %60, %124, %121, %117, %114, %110, %107, %72, %68 : tensor<f32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<4x8x32xf32>, tensor<32xf32>
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
// line 46: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
