// test: attention
// Tiny t5 as `meshwright model` writes it.
module @t5 {
  func.func @main(%arg0: tensor<96x32xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<8x4xf32>, %arg3: tensor<2x32xf32>, %arg4: tensor<2x32x32xf32>, %arg5: tensor<2x32x32xf32>, %arg6: tensor<2x32x32xf32>, %arg7: tensor<2x32x32xf32>, %arg8: tensor<2x32xf32>, %arg9: tensor<2x48x32xf32>, %arg10: tensor<2x32x48xf32>, %arg11: tensor<32xf32>, %arg12: tensor<2x32xf32>, %arg13: tensor<2x32x32xf32>, %arg14: tensor<2x32x32xf32>, %arg15: tensor<2x32x32xf32>, %arg16: tensor<2x32x32xf32>, %arg17: tensor<2x32xf32>, %arg18: tensor<2x32x32xf32>, %arg19: tensor<2x32x32xf32>, %arg20: tensor<2x32x32xf32>, %arg21: tensor<2x32x32xf32>, %arg22: tensor<2x32xf32>, %arg23: tensor<2x48x32xf32>, %arg24: tensor<2x32x48xf32>, %arg25: tensor<32xf32>, %arg26: tensor<2x16xi32>, %arg27: tensor<2x16xi32>, %arg28: tensor<2x16xi32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %1 = "stablehlo.gather"(%0, %arg26) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xbf16>, tensor<2x16xi32>) -> tensor<2x16x32xbf16>
    %c = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 1, 0, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]> : tensor<31xi32>
    %2 = "stablehlo.gather"(%arg1, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<31xi32>) -> tensor<31x4xf32>
    %3 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %4 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %5 = stablehlo.subtract %4, %3 : tensor<16x16xi32>
    %c_0 = stablehlo.constant dense<15> : tensor<16x16xi32>
    %6 = stablehlo.add %5, %c_0 : tensor<16x16xi32>
    %7 = "stablehlo.gather"(%2, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<31x4xf32>, tensor<16x16xi32>) -> tensor<16x16x4xf32>
    %8 = stablehlo.transpose %7, dims = [2, 0, 1] : (tensor<16x16x4xf32>) -> tensor<4x16x16xf32>
    %c_1 = stablehlo.constant dense<[7, 7, 7, 7, 7, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<31xi32>
    %9 = "stablehlo.gather"(%arg2, %c_1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<31xi32>) -> tensor<31x4xf32>
    %10 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %11 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %12 = stablehlo.subtract %11, %10 : tensor<16x16xi32>
    %c_2 = stablehlo.constant dense<15> : tensor<16x16xi32>
    %13 = stablehlo.add %12, %c_2 : tensor<16x16xi32>
    %14 = "stablehlo.gather"(%9, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<31x4xf32>, tensor<16x16xi32>) -> tensor<16x16x4xf32>
    %15 = stablehlo.transpose %14, dims = [2, 0, 1] : (tensor<16x16x4xf32>) -> tensor<4x16x16xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %16:2 = stablehlo.while(%iterArg = %c_3, %iterArg_17 = %1) : tensor<i32>, tensor<2x16x32xbf16>
    cond {
      %c_18 = stablehlo.constant dense<2> : tensor<i32>
      %60 = stablehlo.compare LT, %iterArg, %c_18 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %60 : tensor<i1>
    } do {
      %60 = stablehlo.convert %iterArg_17 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %61 = stablehlo.multiply %60, %60 : tensor<2x16x32xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %62 = stablehlo.reduce(%61 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %63 = stablehlo.divide %62, %cst_19 : tensor<2x16xf32>
      %cst_20 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
      %64 = stablehlo.add %63, %cst_20 : tensor<2x16xf32>
      %65 = stablehlo.rsqrt %64 : tensor<2x16xf32>
      %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %67 = stablehlo.multiply %60, %66 : tensor<2x16x32xf32>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %68 = stablehlo.dynamic_slice %arg3, %iterArg, %c_21, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %69 = stablehlo.reshape %68 : (tensor<1x32xf32>) -> tensor<32xf32>
      %70 = stablehlo.broadcast_in_dim %69, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %71 = stablehlo.multiply %67, %70 : tensor<2x16x32xf32>
      %72 = stablehlo.convert %71 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %73 = stablehlo.dynamic_slice %arg4, %iterArg, %c_22, %c_22, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %74 = stablehlo.reshape %73 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %75 = stablehlo.convert %74 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %76 = stablehlo.reshape %75 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %77 = stablehlo.dot_general %72, %76, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %78 = stablehlo.dynamic_slice %arg5, %iterArg, %c_23, %c_23, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %79 = stablehlo.reshape %78 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %80 = stablehlo.convert %79 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %81 = stablehlo.reshape %80 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %82 = stablehlo.dot_general %72, %81, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %83 = stablehlo.dynamic_slice %arg6, %iterArg, %c_24, %c_24, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %84 = stablehlo.reshape %83 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %85 = stablehlo.convert %84 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %86 = stablehlo.reshape %85 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %87 = stablehlo.dot_general %72, %86, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %88 = stablehlo.dot_general %77, %82, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
      %89 = stablehlo.convert %88 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
      %90 = stablehlo.broadcast_in_dim %8, dims = [1, 2, 3] : (tensor<4x16x16xf32>) -> tensor<2x4x16x16xf32>
      %91 = stablehlo.add %89, %90 : tensor<2x4x16x16xf32>
      %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %92 = stablehlo.reduce(%91 init: %cst_25) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %94 = stablehlo.subtract %91, %93 : tensor<2x4x16x16xf32>
      %95 = stablehlo.exponential %94 : tensor<2x4x16x16xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %96 = stablehlo.reduce(%95 init: %cst_26) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %98 = stablehlo.divide %95, %97 : tensor<2x4x16x16xf32>
      %99 = stablehlo.convert %98 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
      %100 = stablehlo.dot_general %99, %87, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
      %101 = stablehlo.transpose %100, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %102 = stablehlo.dynamic_slice %arg7, %iterArg, %c_27, %c_27, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %103 = stablehlo.reshape %102 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %104 = stablehlo.convert %103 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %105 = stablehlo.reshape %104 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %106 = stablehlo.dot_general %101, %105, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
      %107 = stablehlo.add %iterArg_17, %106 : tensor<2x16x32xbf16>
      %108 = stablehlo.convert %107 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %109 = stablehlo.multiply %108, %108 : tensor<2x16x32xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %110 = stablehlo.reduce(%109 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_29 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %111 = stablehlo.divide %110, %cst_29 : tensor<2x16xf32>
      %cst_30 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
      %112 = stablehlo.add %111, %cst_30 : tensor<2x16xf32>
      %113 = stablehlo.rsqrt %112 : tensor<2x16xf32>
      %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %115 = stablehlo.multiply %108, %114 : tensor<2x16x32xf32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %116 = stablehlo.dynamic_slice %arg8, %iterArg, %c_31, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %117 = stablehlo.reshape %116 : (tensor<1x32xf32>) -> tensor<32xf32>
      %118 = stablehlo.broadcast_in_dim %117, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %119 = stablehlo.multiply %115, %118 : tensor<2x16x32xf32>
      %120 = stablehlo.convert %119 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %121 = stablehlo.dynamic_slice %arg9, %iterArg, %c_32, %c_32, sizes = [1, 48, 32] : (tensor<2x48x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x48x32xf32>
      %122 = stablehlo.reshape %121 : (tensor<1x48x32xf32>) -> tensor<48x32xf32>
      %123 = stablehlo.convert %122 : (tensor<48x32xf32>) -> tensor<48x32xbf16>
      %124 = stablehlo.dot_general %120, %123, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<48x32xbf16>) -> tensor<2x16x48xbf16>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x48xbf16>
      %125 = stablehlo.maximum %124, %cst_33 : tensor<2x16x48xbf16>
      %c_34 = stablehlo.constant dense<0> : tensor<i32>
      %126 = stablehlo.dynamic_slice %arg10, %iterArg, %c_34, %c_34, sizes = [1, 32, 48] : (tensor<2x32x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x48xf32>
      %127 = stablehlo.reshape %126 : (tensor<1x32x48xf32>) -> tensor<32x48xf32>
      %128 = stablehlo.convert %127 : (tensor<32x48xf32>) -> tensor<32x48xbf16>
      %129 = stablehlo.dot_general %125, %128, contracting_dims = [2] x [1] : (tensor<2x16x48xbf16>, tensor<32x48xbf16>) -> tensor<2x16x32xbf16>
      %130 = stablehlo.add %107, %129 : tensor<2x16x32xbf16>
      %c_35 = stablehlo.constant dense<1> : tensor<i32>
      %131 = stablehlo.add %iterArg, %c_35 : tensor<i32>
      stablehlo.return %131, %130 : tensor<i32>, tensor<2x16x32xbf16>
    }
    %17 = stablehlo.convert %16#1 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<2x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
    %20 = stablehlo.divide %19, %cst_4 : tensor<2x16xf32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
    %21 = stablehlo.add %20, %cst_5 : tensor<2x16xf32>
    %22 = stablehlo.rsqrt %21 : tensor<2x16xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
    %24 = stablehlo.multiply %17, %23 : tensor<2x16x32xf32>
    %25 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
    %26 = stablehlo.multiply %24, %25 : tensor<2x16x32xf32>
    %27 = stablehlo.convert %26 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %28 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %29 = "stablehlo.gather"(%28, %arg27) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xbf16>, tensor<2x16xi32>) -> tensor<2x16x32xbf16>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %30:2 = stablehlo.while(%iterArg = %c_6, %iterArg_17 = %29) : tensor<i32>, tensor<2x16x32xbf16>
    cond {
      %c_18 = stablehlo.constant dense<2> : tensor<i32>
      %60 = stablehlo.compare LT, %iterArg, %c_18 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %60 : tensor<i1>
    } do {
      %60 = stablehlo.convert %iterArg_17 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %61 = stablehlo.multiply %60, %60 : tensor<2x16x32xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %62 = stablehlo.reduce(%61 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %63 = stablehlo.divide %62, %cst_19 : tensor<2x16xf32>
      %cst_20 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
      %64 = stablehlo.add %63, %cst_20 : tensor<2x16xf32>
      %65 = stablehlo.rsqrt %64 : tensor<2x16xf32>
      %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %67 = stablehlo.multiply %60, %66 : tensor<2x16x32xf32>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %68 = stablehlo.dynamic_slice %arg12, %iterArg, %c_21, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %69 = stablehlo.reshape %68 : (tensor<1x32xf32>) -> tensor<32xf32>
      %70 = stablehlo.broadcast_in_dim %69, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %71 = stablehlo.multiply %67, %70 : tensor<2x16x32xf32>
      %72 = stablehlo.convert %71 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %73 = stablehlo.dynamic_slice %arg13, %iterArg, %c_22, %c_22, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %74 = stablehlo.reshape %73 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %75 = stablehlo.convert %74 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %76 = stablehlo.reshape %75 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %77 = stablehlo.dot_general %72, %76, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %78 = stablehlo.dynamic_slice %arg14, %iterArg, %c_23, %c_23, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %79 = stablehlo.reshape %78 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %80 = stablehlo.convert %79 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %81 = stablehlo.reshape %80 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %82 = stablehlo.dot_general %72, %81, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %83 = stablehlo.dynamic_slice %arg15, %iterArg, %c_24, %c_24, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %84 = stablehlo.reshape %83 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %85 = stablehlo.convert %84 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %86 = stablehlo.reshape %85 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %87 = stablehlo.dot_general %72, %86, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %88 = stablehlo.dot_general %77, %82, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
      %89 = stablehlo.convert %88 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
      %90 = stablehlo.broadcast_in_dim %15, dims = [1, 2, 3] : (tensor<4x16x16xf32>) -> tensor<2x4x16x16xf32>
      %91 = stablehlo.add %89, %90 : tensor<2x4x16x16xf32>
      %92 = stablehlo.iota dim = 0 : tensor<16x16xi32>
      %93 = stablehlo.iota dim = 1 : tensor<16x16xi32>
      %94 = stablehlo.compare GE, %92, %93 : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
      %95 = stablehlo.broadcast_in_dim %94, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
      %cst_25 = stablehlo.constant dense<-1.000000e+09> : tensor<2x4x16x16xf32>
      %96 = stablehlo.select %95, %91, %cst_25 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
      %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %97 = stablehlo.reduce(%96 init: %cst_26) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %99 = stablehlo.subtract %96, %98 : tensor<2x4x16x16xf32>
      %100 = stablehlo.exponential %99 : tensor<2x4x16x16xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %101 = stablehlo.reduce(%100 init: %cst_27) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %103 = stablehlo.divide %100, %102 : tensor<2x4x16x16xf32>
      %104 = stablehlo.convert %103 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
      %105 = stablehlo.dot_general %104, %87, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
      %106 = stablehlo.transpose %105, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %107 = stablehlo.dynamic_slice %arg16, %iterArg, %c_28, %c_28, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %108 = stablehlo.reshape %107 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %109 = stablehlo.convert %108 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %110 = stablehlo.reshape %109 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %111 = stablehlo.dot_general %106, %110, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
      %112 = stablehlo.add %iterArg_17, %111 : tensor<2x16x32xbf16>
      %113 = stablehlo.convert %112 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %114 = stablehlo.multiply %113, %113 : tensor<2x16x32xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %115 = stablehlo.reduce(%114 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_30 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %116 = stablehlo.divide %115, %cst_30 : tensor<2x16xf32>
      %cst_31 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
      %117 = stablehlo.add %116, %cst_31 : tensor<2x16xf32>
      %118 = stablehlo.rsqrt %117 : tensor<2x16xf32>
      %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %120 = stablehlo.multiply %113, %119 : tensor<2x16x32xf32>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %121 = stablehlo.dynamic_slice %arg17, %iterArg, %c_32, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %122 = stablehlo.reshape %121 : (tensor<1x32xf32>) -> tensor<32xf32>
      %123 = stablehlo.broadcast_in_dim %122, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %124 = stablehlo.multiply %120, %123 : tensor<2x16x32xf32>
      %125 = stablehlo.convert %124 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_33 = stablehlo.constant dense<0> : tensor<i32>
      %126 = stablehlo.dynamic_slice %arg18, %iterArg, %c_33, %c_33, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %127 = stablehlo.reshape %126 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %128 = stablehlo.convert %127 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %129 = stablehlo.reshape %128 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %130 = stablehlo.dot_general %125, %129, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_34 = stablehlo.constant dense<0> : tensor<i32>
      %131 = stablehlo.dynamic_slice %arg19, %iterArg, %c_34, %c_34, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %132 = stablehlo.reshape %131 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %133 = stablehlo.convert %132 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %134 = stablehlo.reshape %133 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %135 = stablehlo.dot_general %27, %134, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %c_35 = stablehlo.constant dense<0> : tensor<i32>
      %136 = stablehlo.dynamic_slice %arg20, %iterArg, %c_35, %c_35, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %137 = stablehlo.reshape %136 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %138 = stablehlo.convert %137 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %139 = stablehlo.reshape %138 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %140 = stablehlo.dot_general %27, %139, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
      %141 = stablehlo.dot_general %130, %135, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
      %142 = stablehlo.convert %141 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
      %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %143 = stablehlo.reduce(%142 init: %cst_36) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %145 = stablehlo.subtract %142, %144 : tensor<2x4x16x16xf32>
      %146 = stablehlo.exponential %145 : tensor<2x4x16x16xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %147 = stablehlo.reduce(%146 init: %cst_37) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %149 = stablehlo.divide %146, %148 : tensor<2x4x16x16xf32>
      %150 = stablehlo.convert %149 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
      %151 = stablehlo.dot_general %150, %140, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
      %152 = stablehlo.transpose %151, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %c_38 = stablehlo.constant dense<0> : tensor<i32>
      %153 = stablehlo.dynamic_slice %arg21, %iterArg, %c_38, %c_38, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %154 = stablehlo.reshape %153 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %155 = stablehlo.convert %154 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %156 = stablehlo.reshape %155 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %157 = stablehlo.dot_general %152, %156, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
      %158 = stablehlo.add %112, %157 : tensor<2x16x32xbf16>
      %159 = stablehlo.convert %158 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %160 = stablehlo.multiply %159, %159 : tensor<2x16x32xf32>
      %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %161 = stablehlo.reduce(%160 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_40 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %162 = stablehlo.divide %161, %cst_40 : tensor<2x16xf32>
      %cst_41 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
      %163 = stablehlo.add %162, %cst_41 : tensor<2x16xf32>
      %164 = stablehlo.rsqrt %163 : tensor<2x16xf32>
      %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %166 = stablehlo.multiply %159, %165 : tensor<2x16x32xf32>
      %c_42 = stablehlo.constant dense<0> : tensor<i32>
      %167 = stablehlo.dynamic_slice %arg22, %iterArg, %c_42, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %168 = stablehlo.reshape %167 : (tensor<1x32xf32>) -> tensor<32xf32>
      %169 = stablehlo.broadcast_in_dim %168, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %170 = stablehlo.multiply %166, %169 : tensor<2x16x32xf32>
      %171 = stablehlo.convert %170 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_43 = stablehlo.constant dense<0> : tensor<i32>
      %172 = stablehlo.dynamic_slice %arg23, %iterArg, %c_43, %c_43, sizes = [1, 48, 32] : (tensor<2x48x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x48x32xf32>
      %173 = stablehlo.reshape %172 : (tensor<1x48x32xf32>) -> tensor<48x32xf32>
      %174 = stablehlo.convert %173 : (tensor<48x32xf32>) -> tensor<48x32xbf16>
      %175 = stablehlo.dot_general %171, %174, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<48x32xbf16>) -> tensor<2x16x48xbf16>
      %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x48xbf16>
      %176 = stablehlo.maximum %175, %cst_44 : tensor<2x16x48xbf16>
      %c_45 = stablehlo.constant dense<0> : tensor<i32>
      %177 = stablehlo.dynamic_slice %arg24, %iterArg, %c_45, %c_45, sizes = [1, 32, 48] : (tensor<2x32x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x48xf32>
      %178 = stablehlo.reshape %177 : (tensor<1x32x48xf32>) -> tensor<32x48xf32>
      %179 = stablehlo.convert %178 : (tensor<32x48xf32>) -> tensor<32x48xbf16>
      %180 = stablehlo.dot_general %176, %179, contracting_dims = [2] x [1] : (tensor<2x16x48xbf16>, tensor<32x48xbf16>) -> tensor<2x16x32xbf16>
      %181 = stablehlo.add %158, %180 : tensor<2x16x32xbf16>
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %182 = stablehlo.add %iterArg, %c_46 : tensor<i32>
      stablehlo.return %182, %181 : tensor<i32>, tensor<2x16x32xbf16>
    }
    %31 = stablehlo.convert %30#1 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %32 = stablehlo.multiply %31, %31 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_8 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
    %34 = stablehlo.divide %33, %cst_8 : tensor<2x16xf32>
    %cst_9 = stablehlo.constant dense<9.99999997E-7> : tensor<2x16xf32>
    %35 = stablehlo.add %34, %cst_9 : tensor<2x16xf32>
    %36 = stablehlo.rsqrt %35 : tensor<2x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
    %38 = stablehlo.multiply %31, %37 : tensor<2x16x32xf32>
    %39 = stablehlo.broadcast_in_dim %arg25, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x16x32xf32>
    %41 = stablehlo.convert %40 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_10 = stablehlo.constant dense<1.767580e-01> : tensor<2x16x32xbf16>
    %42 = stablehlo.multiply %41, %cst_10 : tensor<2x16x32xbf16>
    %43 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %44 = stablehlo.dot_general %42, %43, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<96x32xbf16>) -> tensor<2x16x96xbf16>
    %45 = stablehlo.convert %44 : (tensor<2x16x96xbf16>) -> tensor<2x16x96xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_11) applies stablehlo.maximum across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x96xf32>
    %48 = stablehlo.subtract %45, %47 : tensor<2x16x96xf32>
    %49 = stablehlo.exponential %48 : tensor<2x16x96xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %51 = stablehlo.log %50 : tensor<2x16xf32>
    %52 = stablehlo.iota dim = 2 : tensor<2x16x96xi32>
    %53 = stablehlo.broadcast_in_dim %arg28, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x96xi32>
    %54 = stablehlo.compare EQ, %52, %53 : (tensor<2x16x96xi32>, tensor<2x16x96xi32>) -> tensor<2x16x96xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x96xf32>
    %55 = stablehlo.select %54, %48, %cst_13 : tensor<2x16x96xi1>, tensor<2x16x96xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %57 = stablehlo.subtract %51, %56 : tensor<2x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %59 = stablehlo.divide %58, %cst_16 : tensor<f32>
    return %59 : tensor<f32>
  }
}
// expect:
