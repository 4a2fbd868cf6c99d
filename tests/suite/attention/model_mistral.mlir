// test: attention
// Tiny mistral as `meshwright model` writes it.
module @mistral {
  func.func @main(%arg0: tensor<96x32xf32>, %arg1: tensor<2x32xf32>, %arg2: tensor<2x64x32xf32>, %arg3: tensor<2x32x32xf32>, %arg4: tensor<2x32x32xf32>, %arg5: tensor<2x32x64xf32>, %arg6: tensor<2x32xf32>, %arg7: tensor<2x48x32xf32>, %arg8: tensor<2x48x32xf32>, %arg9: tensor<2x32x48xf32>, %arg10: tensor<32xf32>, %arg11: tensor<2x16xi32>, %arg12: tensor<2x16xi32>) -> tensor<f32> {
    %0 = stablehlo.iota dim = 0 : tensor<16x8xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 0.316227764, 1.000000e-01, 0.0316227749, 0.00999999977, 0.00316227763, 1.000000e-03, 3.16227757E-4]> : tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16x8xf32>
    %3 = stablehlo.cosine %2 : tensor<16x8xf32>
    %4 = stablehlo.convert %3 : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %5 = stablehlo.sine %2 : tensor<16x8xf32>
    %6 = stablehlo.convert %5 : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %7 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %8 = "stablehlo.gather"(%7, %arg11) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xbf16>, tensor<2x16xi32>) -> tensor<2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:2 = stablehlo.while(%iterArg = %c, %iterArg_9 = %8) : tensor<i32>, tensor<2x16x32xbf16>
    cond {
      %c_10 = stablehlo.constant dense<2> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg, %c_10 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %38 = stablehlo.convert %iterArg_9 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %39 = stablehlo.multiply %38, %38 : tensor<2x16x32xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.reduce(%39 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_11 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %41 = stablehlo.divide %40, %cst_11 : tensor<2x16xf32>
      %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
      %42 = stablehlo.add %41, %cst_12 : tensor<2x16xf32>
      %43 = stablehlo.rsqrt %42 : tensor<2x16xf32>
      %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %45 = stablehlo.multiply %38, %44 : tensor<2x16x32xf32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %46 = stablehlo.dynamic_slice %arg1, %iterArg, %c_13, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %47 = stablehlo.reshape %46 : (tensor<1x32xf32>) -> tensor<32xf32>
      %48 = stablehlo.broadcast_in_dim %47, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %49 = stablehlo.multiply %45, %48 : tensor<2x16x32xf32>
      %50 = stablehlo.convert %49 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %51 = stablehlo.dynamic_slice %arg2, %iterArg, %c_14, %c_14, sizes = [1, 64, 32] : (tensor<2x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x32xf32>
      %52 = stablehlo.reshape %51 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
      %53 = stablehlo.convert %52 : (tensor<64x32xf32>) -> tensor<64x32xbf16>
      %54 = stablehlo.reshape %53 : (tensor<64x32xbf16>) -> tensor<4x16x32xbf16>
      %55 = stablehlo.dot_general %50, %54, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x16x32xbf16>) -> tensor<2x16x4x16xbf16>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %56 = stablehlo.dynamic_slice %arg3, %iterArg, %c_15, %c_15, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %57 = stablehlo.reshape %56 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %58 = stablehlo.convert %57 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %59 = stablehlo.reshape %58 : (tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
      %60 = stablehlo.dot_general %50, %59, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<2x16x2x16xbf16>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %61 = stablehlo.dynamic_slice %arg4, %iterArg, %c_16, %c_16, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %62 = stablehlo.reshape %61 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %63 = stablehlo.convert %62 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %64 = stablehlo.reshape %63 : (tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
      %65 = stablehlo.dot_general %50, %64, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<2x16x2x16xbf16>
      %66 = stablehlo.slice %55 [0:2, 0:16, 0:4, 0:8] : (tensor<2x16x4x16xbf16>) -> tensor<2x16x4x8xbf16>
      %67 = stablehlo.slice %55 [0:2, 0:16, 0:4, 8:16] : (tensor<2x16x4x16xbf16>) -> tensor<2x16x4x8xbf16>
      %68 = stablehlo.broadcast_in_dim %4, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %69 = stablehlo.multiply %66, %68 : tensor<2x16x4x8xbf16>
      %70 = stablehlo.broadcast_in_dim %6, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %71 = stablehlo.multiply %67, %70 : tensor<2x16x4x8xbf16>
      %72 = stablehlo.broadcast_in_dim %4, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %73 = stablehlo.multiply %67, %72 : tensor<2x16x4x8xbf16>
      %74 = stablehlo.broadcast_in_dim %6, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %75 = stablehlo.multiply %66, %74 : tensor<2x16x4x8xbf16>
      %76 = stablehlo.subtract %69, %71 : tensor<2x16x4x8xbf16>
      %77 = stablehlo.add %73, %75 : tensor<2x16x4x8xbf16>
      %78 = stablehlo.concatenate %76, %77, dim = 3 : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x16x4x16xbf16>
      %79 = stablehlo.slice %60 [0:2, 0:16, 0:2, 0:8] : (tensor<2x16x2x16xbf16>) -> tensor<2x16x2x8xbf16>
      %80 = stablehlo.slice %60 [0:2, 0:16, 0:2, 8:16] : (tensor<2x16x2x16xbf16>) -> tensor<2x16x2x8xbf16>
      %81 = stablehlo.broadcast_in_dim %4, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x2x8xbf16>
      %82 = stablehlo.multiply %79, %81 : tensor<2x16x2x8xbf16>
      %83 = stablehlo.broadcast_in_dim %6, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x2x8xbf16>
      %84 = stablehlo.multiply %80, %83 : tensor<2x16x2x8xbf16>
      %85 = stablehlo.broadcast_in_dim %4, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x2x8xbf16>
      %86 = stablehlo.multiply %80, %85 : tensor<2x16x2x8xbf16>
      %87 = stablehlo.broadcast_in_dim %6, dims = [1, 3] : (tensor<16x8xbf16>) -> tensor<2x16x2x8xbf16>
      %88 = stablehlo.multiply %79, %87 : tensor<2x16x2x8xbf16>
      %89 = stablehlo.subtract %82, %84 : tensor<2x16x2x8xbf16>
      %90 = stablehlo.add %86, %88 : tensor<2x16x2x8xbf16>
      %91 = stablehlo.concatenate %89, %90, dim = 3 : (tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x16x2x16xbf16>
      %92 = stablehlo.reshape %78 : (tensor<2x16x4x16xbf16>) -> tensor<2x16x2x2x16xbf16>
      %93 = stablehlo.dot_general %92, %91, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x16x2x2x16xbf16>, tensor<2x16x2x16xbf16>) -> tensor<2x2x16x2x16xbf16>
      %94 = stablehlo.transpose %93, dims = [0, 1, 3, 2, 4] : (tensor<2x2x16x2x16xbf16>) -> tensor<2x2x2x16x16xbf16>
      %95 = stablehlo.convert %94 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
      %cst_17 = stablehlo.constant dense<2.500000e-01> : tensor<2x2x2x16x16xf32>
      %96 = stablehlo.multiply %95, %cst_17 : tensor<2x2x2x16x16xf32>
      %97 = stablehlo.iota dim = 0 : tensor<16x16xi32>
      %98 = stablehlo.iota dim = 1 : tensor<16x16xi32>
      %99 = stablehlo.compare GE, %97, %98 : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
      %c_18 = stablehlo.constant dense<7> : tensor<16x16xi32>
      %100 = stablehlo.add %98, %c_18 : tensor<16x16xi32>
      %101 = stablehlo.compare LT, %97, %100 : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
      %102 = stablehlo.and %99, %101 : tensor<16x16xi1>
      %103 = stablehlo.broadcast_in_dim %102, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
      %cst_19 = stablehlo.constant dense<-1.000000e+09> : tensor<2x2x2x16x16xf32>
      %104 = stablehlo.select %103, %96, %cst_19 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
      %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %105 = stablehlo.reduce(%104 init: %cst_20) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
      %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
      %107 = stablehlo.subtract %104, %106 : tensor<2x2x2x16x16xf32>
      %108 = stablehlo.exponential %107 : tensor<2x2x2x16x16xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %109 = stablehlo.reduce(%108 init: %cst_21) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
      %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
      %111 = stablehlo.divide %108, %110 : tensor<2x2x2x16x16xf32>
      %112 = stablehlo.convert %111 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
      %113 = stablehlo.dot_general %112, %65, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1] : (tensor<2x2x2x16x16xbf16>, tensor<2x16x2x16xbf16>) -> tensor<2x2x2x16x16xbf16>
      %114 = stablehlo.transpose %113, dims = [0, 3, 1, 2, 4] : (tensor<2x2x2x16x16xbf16>) -> tensor<2x16x2x2x16xbf16>
      %115 = stablehlo.reshape %114 : (tensor<2x16x2x2x16xbf16>) -> tensor<2x16x4x16xbf16>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %116 = stablehlo.dynamic_slice %arg5, %iterArg, %c_22, %c_22, sizes = [1, 32, 64] : (tensor<2x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
      %117 = stablehlo.reshape %116 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
      %118 = stablehlo.convert %117 : (tensor<32x64xf32>) -> tensor<32x64xbf16>
      %119 = stablehlo.reshape %118 : (tensor<32x64xbf16>) -> tensor<32x4x16xbf16>
      %120 = stablehlo.dot_general %115, %119, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x16xbf16>, tensor<32x4x16xbf16>) -> tensor<2x16x32xbf16>
      %121 = stablehlo.add %iterArg_9, %120 : tensor<2x16x32xbf16>
      %122 = stablehlo.convert %121 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %123 = stablehlo.multiply %122, %122 : tensor<2x16x32xf32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %124 = stablehlo.reduce(%123 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_24 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %125 = stablehlo.divide %124, %cst_24 : tensor<2x16xf32>
      %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
      %126 = stablehlo.add %125, %cst_25 : tensor<2x16xf32>
      %127 = stablehlo.rsqrt %126 : tensor<2x16xf32>
      %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %129 = stablehlo.multiply %122, %128 : tensor<2x16x32xf32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %130 = stablehlo.dynamic_slice %arg6, %iterArg, %c_26, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %131 = stablehlo.reshape %130 : (tensor<1x32xf32>) -> tensor<32xf32>
      %132 = stablehlo.broadcast_in_dim %131, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %133 = stablehlo.multiply %129, %132 : tensor<2x16x32xf32>
      %134 = stablehlo.convert %133 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %135 = stablehlo.dynamic_slice %arg7, %iterArg, %c_27, %c_27, sizes = [1, 48, 32] : (tensor<2x48x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x48x32xf32>
      %136 = stablehlo.reshape %135 : (tensor<1x48x32xf32>) -> tensor<48x32xf32>
      %137 = stablehlo.convert %136 : (tensor<48x32xf32>) -> tensor<48x32xbf16>
      %138 = stablehlo.dot_general %134, %137, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<48x32xbf16>) -> tensor<2x16x48xbf16>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %139 = stablehlo.dynamic_slice %arg8, %iterArg, %c_28, %c_28, sizes = [1, 48, 32] : (tensor<2x48x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x48x32xf32>
      %140 = stablehlo.reshape %139 : (tensor<1x48x32xf32>) -> tensor<48x32xf32>
      %141 = stablehlo.convert %140 : (tensor<48x32xf32>) -> tensor<48x32xbf16>
      %142 = stablehlo.dot_general %134, %141, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<48x32xbf16>) -> tensor<2x16x48xbf16>
      %143 = stablehlo.logistic %138 : tensor<2x16x48xbf16>
      %144 = stablehlo.multiply %138, %143 : tensor<2x16x48xbf16>
      %145 = stablehlo.multiply %144, %142 : tensor<2x16x48xbf16>
      %c_29 = stablehlo.constant dense<0> : tensor<i32>
      %146 = stablehlo.dynamic_slice %arg9, %iterArg, %c_29, %c_29, sizes = [1, 32, 48] : (tensor<2x32x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x48xf32>
      %147 = stablehlo.reshape %146 : (tensor<1x32x48xf32>) -> tensor<32x48xf32>
      %148 = stablehlo.convert %147 : (tensor<32x48xf32>) -> tensor<32x48xbf16>
      %149 = stablehlo.dot_general %145, %148, contracting_dims = [2] x [1] : (tensor<2x16x48xbf16>, tensor<32x48xbf16>) -> tensor<2x16x32xbf16>
      %150 = stablehlo.add %121, %149 : tensor<2x16x32xbf16>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %151 = stablehlo.add %iterArg, %c_30 : tensor<i32>
      stablehlo.return %151, %150 : tensor<i32>, tensor<2x16x32xbf16>
    }
    %10 = stablehlo.convert %9#1 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<2x16x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
    %13 = stablehlo.divide %12, %cst_1 : tensor<2x16xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
    %14 = stablehlo.add %13, %cst_2 : tensor<2x16xf32>
    %15 = stablehlo.rsqrt %14 : tensor<2x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
    %17 = stablehlo.multiply %10, %16 : tensor<2x16x32xf32>
    %18 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<2x16x32xf32>
    %20 = stablehlo.convert %19 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %21 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %22 = stablehlo.dot_general %20, %21, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<96x32xbf16>) -> tensor<2x16x96xbf16>
    %23 = stablehlo.convert %22 : (tensor<2x16x96xbf16>) -> tensor<2x16x96xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x96xf32>
    %26 = stablehlo.subtract %23, %25 : tensor<2x16x96xf32>
    %27 = stablehlo.exponential %26 : tensor<2x16x96xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %29 = stablehlo.log %28 : tensor<2x16xf32>
    %30 = stablehlo.iota dim = 2 : tensor<2x16x96xi32>
    %31 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x96xi32>
    %32 = stablehlo.compare EQ, %30, %31 : (tensor<2x16x96xi32>, tensor<2x16x96xi32>) -> tensor<2x16x96xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x96xf32>
    %33 = stablehlo.select %32, %26, %cst_5 : tensor<2x16x96xi1>, tensor<2x16x96xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %35 = stablehlo.subtract %29, %34 : tensor<2x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %37 = stablehlo.divide %36, %cst_8 : tensor<f32>
    return %37 : tensor<f32>
  }
}
// expect:
