// test: attention
// Tiny gpt2 as `meshwright model` writes it.
module @gpt2 {
  func.func @main(%arg0: tensor<96x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<2x32xf32>, %arg3: tensor<2x32xf32>, %arg4: tensor<2x32x96xf32>, %arg5: tensor<2x96xf32>, %arg6: tensor<2x32x32xf32>, %arg7: tensor<2x32xf32>, %arg8: tensor<2x32xf32>, %arg9: tensor<2x32xf32>, %arg10: tensor<2x32x128xf32>, %arg11: tensor<2x128xf32>, %arg12: tensor<2x128x32xf32>, %arg13: tensor<2x32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<2x16xi32>, %arg17: tensor<2x16xi32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %1 = "stablehlo.gather"(%0, %arg16) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xbf16>, tensor<2x16xi32>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.convert %arg1 : (tensor<64x32xf32>) -> tensor<64x32xbf16>
    %3 = stablehlo.slice %2 [0:16, 0:32] : (tensor<64x32xbf16>) -> tensor<16x32xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<16x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.add %1, %4 : tensor<2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:2 = stablehlo.while(%iterArg = %c, %iterArg_10 = %5) : tensor<i32>, tensor<2x16x32xbf16>
    cond {
      %c_11 = stablehlo.constant dense<2> : tensor<i32>
      %41 = stablehlo.compare LT, %iterArg, %c_11 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %41 : tensor<i1>
    } do {
      %41 = stablehlo.convert %iterArg_10 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %42 = stablehlo.reduce(%41 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %43 = stablehlo.divide %42, %cst_12 : tensor<2x16xf32>
      %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %45 = stablehlo.subtract %41, %44 : tensor<2x16x32xf32>
      %46 = stablehlo.multiply %45, %45 : tensor<2x16x32xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %47 = stablehlo.reduce(%46 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_14 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %48 = stablehlo.divide %47, %cst_14 : tensor<2x16xf32>
      %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
      %49 = stablehlo.add %48, %cst_15 : tensor<2x16xf32>
      %50 = stablehlo.rsqrt %49 : tensor<2x16xf32>
      %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %52 = stablehlo.multiply %45, %51 : tensor<2x16x32xf32>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %53 = stablehlo.dynamic_slice %arg2, %iterArg, %c_16, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %54 = stablehlo.reshape %53 : (tensor<1x32xf32>) -> tensor<32xf32>
      %55 = stablehlo.broadcast_in_dim %54, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %56 = stablehlo.multiply %52, %55 : tensor<2x16x32xf32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %57 = stablehlo.dynamic_slice %arg3, %iterArg, %c_17, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %58 = stablehlo.reshape %57 : (tensor<1x32xf32>) -> tensor<32xf32>
      %59 = stablehlo.broadcast_in_dim %58, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %60 = stablehlo.add %56, %59 : tensor<2x16x32xf32>
      %61 = stablehlo.convert %60 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %62 = stablehlo.dynamic_slice %arg4, %iterArg, %c_18, %c_18, sizes = [1, 32, 96] : (tensor<2x32x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x96xf32>
      %63 = stablehlo.reshape %62 : (tensor<1x32x96xf32>) -> tensor<32x96xf32>
      %64 = stablehlo.convert %63 : (tensor<32x96xf32>) -> tensor<32x96xbf16>
      %65 = stablehlo.slice %64 [0:32, 0:32] : (tensor<32x96xbf16>) -> tensor<32x32xbf16>
      %66 = stablehlo.slice %64 [0:32, 32:64] : (tensor<32x96xbf16>) -> tensor<32x32xbf16>
      %67 = stablehlo.slice %64 [0:32, 64:96] : (tensor<32x96xbf16>) -> tensor<32x32xbf16>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %68 = stablehlo.dynamic_slice %arg5, %iterArg, %c_19, sizes = [1, 96] : (tensor<2x96xf32>, tensor<i32>, tensor<i32>) -> tensor<1x96xf32>
      %69 = stablehlo.reshape %68 : (tensor<1x96xf32>) -> tensor<96xf32>
      %70 = stablehlo.convert %69 : (tensor<96xf32>) -> tensor<96xbf16>
      %71 = stablehlo.slice %70 [0:32] : (tensor<96xbf16>) -> tensor<32xbf16>
      %72 = stablehlo.slice %70 [32:64] : (tensor<96xbf16>) -> tensor<32xbf16>
      %73 = stablehlo.slice %70 [64:96] : (tensor<96xbf16>) -> tensor<32xbf16>
      %74 = stablehlo.reshape %65 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %75 = stablehlo.dot_general %61, %74, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %76 = stablehlo.reshape %71 : (tensor<32xbf16>) -> tensor<4x8xbf16>
      %77 = stablehlo.broadcast_in_dim %76, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %78 = stablehlo.add %75, %77 : tensor<2x16x4x8xbf16>
      %79 = stablehlo.reshape %66 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %80 = stablehlo.dot_general %61, %79, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %81 = stablehlo.reshape %72 : (tensor<32xbf16>) -> tensor<4x8xbf16>
      %82 = stablehlo.broadcast_in_dim %81, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %83 = stablehlo.add %80, %82 : tensor<2x16x4x8xbf16>
      %84 = stablehlo.reshape %67 : (tensor<32x32xbf16>) -> tensor<32x4x8xbf16>
      %85 = stablehlo.dot_general %61, %84, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %86 = stablehlo.reshape %73 : (tensor<32xbf16>) -> tensor<4x8xbf16>
      %87 = stablehlo.broadcast_in_dim %86, dims = [2, 3] : (tensor<4x8xbf16>) -> tensor<2x16x4x8xbf16>
      %88 = stablehlo.add %85, %87 : tensor<2x16x4x8xbf16>
      %89 = stablehlo.dot_general %78, %83, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
      %90 = stablehlo.convert %89 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
      %cst_20 = stablehlo.constant dense<0.353553385> : tensor<2x4x16x16xf32>
      %91 = stablehlo.multiply %90, %cst_20 : tensor<2x4x16x16xf32>
      %92 = stablehlo.iota dim = 0 : tensor<16x16xi32>
      %93 = stablehlo.iota dim = 1 : tensor<16x16xi32>
      %94 = stablehlo.compare GE, %92, %93 : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
      %95 = stablehlo.broadcast_in_dim %94, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
      %cst_21 = stablehlo.constant dense<-1.000000e+09> : tensor<2x4x16x16xf32>
      %96 = stablehlo.select %95, %91, %cst_21 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
      %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %97 = stablehlo.reduce(%96 init: %cst_22) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %99 = stablehlo.subtract %96, %98 : tensor<2x4x16x16xf32>
      %100 = stablehlo.exponential %99 : tensor<2x4x16x16xf32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %101 = stablehlo.reduce(%100 init: %cst_23) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
      %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
      %103 = stablehlo.divide %100, %102 : tensor<2x4x16x16xf32>
      %104 = stablehlo.convert %103 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
      %105 = stablehlo.dot_general %104, %88, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
      %106 = stablehlo.transpose %105, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %107 = stablehlo.dynamic_slice %arg6, %iterArg, %c_24, %c_24, sizes = [1, 32, 32] : (tensor<2x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
      %108 = stablehlo.reshape %107 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
      %109 = stablehlo.convert %108 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
      %110 = stablehlo.reshape %109 : (tensor<32x32xbf16>) -> tensor<4x8x32xbf16>
      %111 = stablehlo.dot_general %106, %110, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %112 = stablehlo.dynamic_slice %arg7, %iterArg, %c_25, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %113 = stablehlo.reshape %112 : (tensor<1x32xf32>) -> tensor<32xf32>
      %114 = stablehlo.convert %113 : (tensor<32xf32>) -> tensor<32xbf16>
      %115 = stablehlo.broadcast_in_dim %114, dims = [2] : (tensor<32xbf16>) -> tensor<2x16x32xbf16>
      %116 = stablehlo.add %111, %115 : tensor<2x16x32xbf16>
      %117 = stablehlo.add %iterArg_10, %116 : tensor<2x16x32xbf16>
      %118 = stablehlo.convert %117 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %119 = stablehlo.reduce(%118 init: %cst_26) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_27 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %120 = stablehlo.divide %119, %cst_27 : tensor<2x16xf32>
      %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %122 = stablehlo.subtract %118, %121 : tensor<2x16x32xf32>
      %123 = stablehlo.multiply %122, %122 : tensor<2x16x32xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %124 = stablehlo.reduce(%123 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_29 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
      %125 = stablehlo.divide %124, %cst_29 : tensor<2x16xf32>
      %cst_30 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
      %126 = stablehlo.add %125, %cst_30 : tensor<2x16xf32>
      %127 = stablehlo.rsqrt %126 : tensor<2x16xf32>
      %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
      %129 = stablehlo.multiply %122, %128 : tensor<2x16x32xf32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %130 = stablehlo.dynamic_slice %arg8, %iterArg, %c_31, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %131 = stablehlo.reshape %130 : (tensor<1x32xf32>) -> tensor<32xf32>
      %132 = stablehlo.broadcast_in_dim %131, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %133 = stablehlo.multiply %129, %132 : tensor<2x16x32xf32>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %134 = stablehlo.dynamic_slice %arg9, %iterArg, %c_32, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %135 = stablehlo.reshape %134 : (tensor<1x32xf32>) -> tensor<32xf32>
      %136 = stablehlo.broadcast_in_dim %135, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
      %137 = stablehlo.add %133, %136 : tensor<2x16x32xf32>
      %138 = stablehlo.convert %137 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
      %c_33 = stablehlo.constant dense<0> : tensor<i32>
      %139 = stablehlo.dynamic_slice %arg10, %iterArg, %c_33, %c_33, sizes = [1, 32, 128] : (tensor<2x32x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x128xf32>
      %140 = stablehlo.reshape %139 : (tensor<1x32x128xf32>) -> tensor<32x128xf32>
      %141 = stablehlo.convert %140 : (tensor<32x128xf32>) -> tensor<32x128xbf16>
      %142 = stablehlo.transpose %141, dims = [1, 0] : (tensor<32x128xbf16>) -> tensor<128x32xbf16>
      %143 = stablehlo.dot_general %138, %142, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<128x32xbf16>) -> tensor<2x16x128xbf16>
      %c_34 = stablehlo.constant dense<0> : tensor<i32>
      %144 = stablehlo.dynamic_slice %arg11, %iterArg, %c_34, sizes = [1, 128] : (tensor<2x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
      %145 = stablehlo.reshape %144 : (tensor<1x128xf32>) -> tensor<128xf32>
      %146 = stablehlo.convert %145 : (tensor<128xf32>) -> tensor<128xbf16>
      %147 = stablehlo.broadcast_in_dim %146, dims = [2] : (tensor<128xbf16>) -> tensor<2x16x128xbf16>
      %148 = stablehlo.add %143, %147 : tensor<2x16x128xbf16>
      %149 = stablehlo.multiply %148, %148 : tensor<2x16x128xbf16>
      %150 = stablehlo.multiply %149, %148 : tensor<2x16x128xbf16>
      %cst_35 = stablehlo.constant dense<4.467770e-02> : tensor<2x16x128xbf16>
      %151 = stablehlo.multiply %150, %cst_35 : tensor<2x16x128xbf16>
      %152 = stablehlo.add %148, %151 : tensor<2x16x128xbf16>
      %cst_36 = stablehlo.constant dense<7.968750e-01> : tensor<2x16x128xbf16>
      %153 = stablehlo.multiply %152, %cst_36 : tensor<2x16x128xbf16>
      %154 = stablehlo.tanh %153 : tensor<2x16x128xbf16>
      %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<2x16x128xbf16>
      %155 = stablehlo.add %154, %cst_37 : tensor<2x16x128xbf16>
      %156 = stablehlo.multiply %148, %155 : tensor<2x16x128xbf16>
      %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<2x16x128xbf16>
      %157 = stablehlo.multiply %156, %cst_38 : tensor<2x16x128xbf16>
      %c_39 = stablehlo.constant dense<0> : tensor<i32>
      %158 = stablehlo.dynamic_slice %arg12, %iterArg, %c_39, %c_39, sizes = [1, 128, 32] : (tensor<2x128x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x32xf32>
      %159 = stablehlo.reshape %158 : (tensor<1x128x32xf32>) -> tensor<128x32xf32>
      %160 = stablehlo.convert %159 : (tensor<128x32xf32>) -> tensor<128x32xbf16>
      %161 = stablehlo.transpose %160, dims = [1, 0] : (tensor<128x32xbf16>) -> tensor<32x128xbf16>
      %162 = stablehlo.dot_general %157, %161, contracting_dims = [2] x [1] : (tensor<2x16x128xbf16>, tensor<32x128xbf16>) -> tensor<2x16x32xbf16>
      %c_40 = stablehlo.constant dense<0> : tensor<i32>
      %163 = stablehlo.dynamic_slice %arg13, %iterArg, %c_40, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %164 = stablehlo.reshape %163 : (tensor<1x32xf32>) -> tensor<32xf32>
      %165 = stablehlo.convert %164 : (tensor<32xf32>) -> tensor<32xbf16>
      %166 = stablehlo.broadcast_in_dim %165, dims = [2] : (tensor<32xbf16>) -> tensor<2x16x32xbf16>
      %167 = stablehlo.add %162, %166 : tensor<2x16x32xbf16>
      %168 = stablehlo.add %117, %167 : tensor<2x16x32xbf16>
      %c_41 = stablehlo.constant dense<1> : tensor<i32>
      %169 = stablehlo.add %iterArg, %c_41 : tensor<i32>
      stablehlo.return %169, %168 : tensor<i32>, tensor<2x16x32xbf16>
    }
    %7 = stablehlo.convert %6#1 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
    %9 = stablehlo.divide %8, %cst_0 : tensor<2x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
    %11 = stablehlo.subtract %7, %10 : tensor<2x16x32xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<2x16x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<2x16xf32>
    %14 = stablehlo.divide %13, %cst_2 : tensor<2x16xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<2x16xf32>
    %15 = stablehlo.add %14, %cst_3 : tensor<2x16xf32>
    %16 = stablehlo.rsqrt %15 : tensor<2x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x32xf32>
    %18 = stablehlo.multiply %11, %17 : tensor<2x16x32xf32>
    %19 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x16x32xf32>
    %21 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<32xf32>) -> tensor<2x16x32xf32>
    %22 = stablehlo.add %20, %21 : tensor<2x16x32xf32>
    %23 = stablehlo.convert %22 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %24 = stablehlo.convert %arg0 : (tensor<96x32xf32>) -> tensor<96x32xbf16>
    %25 = stablehlo.dot_general %23, %24, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<96x32xbf16>) -> tensor<2x16x96xbf16>
    %26 = stablehlo.convert %25 : (tensor<2x16x96xbf16>) -> tensor<2x16x96xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x96xf32>
    %29 = stablehlo.subtract %26, %28 : tensor<2x16x96xf32>
    %30 = stablehlo.exponential %29 : tensor<2x16x96xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %32 = stablehlo.log %31 : tensor<2x16xf32>
    %33 = stablehlo.iota dim = 2 : tensor<2x16x96xi32>
    %34 = stablehlo.broadcast_in_dim %arg17, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x96xi32>
    %35 = stablehlo.compare EQ, %33, %34 : (tensor<2x16x96xi32>, tensor<2x16x96xi32>) -> tensor<2x16x96xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x96xf32>
    %36 = stablehlo.select %35, %29, %cst_6 : tensor<2x16x96xi1>, tensor<2x16x96xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x16x96xf32>, tensor<f32>) -> tensor<2x16xf32>
    %38 = stablehlo.subtract %32, %37 : tensor<2x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %40 = stablehlo.divide %39, %cst_9 : tensor<f32>
    return %40 : tensor<f32>
  }
}
// expect:
