// test: attention
// Key heads repeated for Equinox.
module {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.iota dim = 0 : tensor<16xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %8 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.multiply %9, %8 : tensor<4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.add %11, %10 : tensor<4xi32>
    %13 = stablehlo.negate %12 : tensor<4xi32>
    %14 = stablehlo.convert %13 : (tensor<4xi32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %16 = stablehlo.divide %14, %15 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.power %17, %16 : tensor<4xf32>
    %19 = stablehlo.convert %7 : (tensor<16x1xi32>) -> tensor<16x1xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<16x4xf32>
    %24 = stablehlo.cosine %23 : tensor<16x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %26 = stablehlo.sine %23 : tensor<16x4xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %28 = stablehlo.convert %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %29 = stablehlo.slice %28 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %30 = stablehlo.slice %28 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %31 = stablehlo.broadcast_in_dim %25, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %33 = stablehlo.multiply %29, %32 : tensor<2x16x4x4xf32>
    %34 = stablehlo.broadcast_in_dim %27, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %36 = stablehlo.multiply %30, %35 : tensor<2x16x4x4xf32>
    %37 = stablehlo.subtract %33, %36 : tensor<2x16x4x4xf32>
    %38 = stablehlo.broadcast_in_dim %25, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %40 = stablehlo.multiply %30, %39 : tensor<2x16x4x4xf32>
    %41 = stablehlo.broadcast_in_dim %27, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %43 = stablehlo.multiply %29, %42 : tensor<2x16x4x4xf32>
    %44 = stablehlo.add %40, %43 : tensor<2x16x4x4xf32>
    %45 = stablehlo.concatenate %37, %44, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %46 = stablehlo.convert %45 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %47 = stablehlo.iota dim = 0 : tensor<16xi32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %49 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %51 = stablehlo.multiply %50, %49 : tensor<4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %53 = stablehlo.add %52, %51 : tensor<4xi32>
    %54 = stablehlo.negate %53 : tensor<4xi32>
    %55 = stablehlo.convert %54 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %57 = stablehlo.divide %55, %56 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %59 = stablehlo.power %58, %57 : tensor<4xf32>
    %60 = stablehlo.convert %48 : (tensor<16x1xi32>) -> tensor<16x1xf32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %62 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %63 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %64 = stablehlo.multiply %62, %63 : tensor<16x4xf32>
    %65 = stablehlo.cosine %64 : tensor<16x4xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %67 = stablehlo.sine %64 : tensor<16x4xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %69 = stablehlo.convert %3 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %70 = stablehlo.slice %69 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %71 = stablehlo.slice %69 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %72 = stablehlo.broadcast_in_dim %66, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %74 = stablehlo.multiply %70, %73 : tensor<2x16x2x4xf32>
    %75 = stablehlo.broadcast_in_dim %68, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %77 = stablehlo.multiply %71, %76 : tensor<2x16x2x4xf32>
    %78 = stablehlo.subtract %74, %77 : tensor<2x16x2x4xf32>
    %79 = stablehlo.broadcast_in_dim %66, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %81 = stablehlo.multiply %71, %80 : tensor<2x16x2x4xf32>
    %82 = stablehlo.broadcast_in_dim %68, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %84 = stablehlo.multiply %70, %83 : tensor<2x16x2x4xf32>
    %85 = stablehlo.add %81, %84 : tensor<2x16x2x4xf32>
    %86 = stablehlo.concatenate %78, %85, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %87 = stablehlo.convert %86 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %88 = stablehlo.iota dim = 0 : tensor<16xi32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %90 = stablehlo.broadcast_in_dim %88, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %91 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %92 = stablehlo.broadcast_in_dim %90, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %93 = stablehlo.compare GE, %91, %92, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %94 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %95 = stablehlo.reshape %94 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %96 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %97 = stablehlo.reshape %96 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_6 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %98 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %99 = stablehlo.divide %46, %98 : tensor<2x16x4x8xbf16>
    %100 = stablehlo.dot_general %99, %95, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_7 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %101:2 = call @_where(%93, %100, %cst_7) : (tensor<16x16xi1>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %102 = stablehlo.convert %101#0 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %105 = stablehlo.maximum %104, %103 : tensor<2x4x16xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %108 = stablehlo.subtract %102, %107 : tensor<2x4x16x16xf32>
    %109 = stablehlo.exponential %108 : tensor<2x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %113 = stablehlo.divide %109, %112 : tensor<2x4x16x16xf32>
    %114 = stablehlo.multiply %111, %111 : tensor<2x4x16x1xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %116 = stablehlo.divide %115, %114 : tensor<2x4x16x1xf32>
    %117 = stablehlo.convert %113 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %118 = stablehlo.dot_general %97, %117, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %119 = stablehlo.transpose %118, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %120 = stablehlo.reshape %119 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %121 = stablehlo.dot_general %120, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %122 = stablehlo.add %arg4, %121 : tensor<2x16x32xbf16>
    %123 = stablehlo.convert %122 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %124 = stablehlo.multiply %123, %123 : tensor<2x16x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %126 = stablehlo.multiply %125, %123 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%124 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %128 = stablehlo.divide %127, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %129 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %131 = stablehlo.multiply %130, %126 : tensor<2x16x32xf32>
    %132 = stablehlo.convert %131 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %133 = stablehlo.dot_general %132, %120, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %134 = stablehlo.transpose %133, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %135 = stablehlo.dot_general %132, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %136 = stablehlo.reshape %135 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %137 = stablehlo.transpose %136, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %138 = stablehlo.dot_general %137, %97, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %139 = stablehlo.dot_general %137, %117, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %140 = stablehlo.transpose %139, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %141 = stablehlo.convert %138 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %142 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %143 = stablehlo.multiply %141, %142 : tensor<2x4x16x16xf32>
    %144 = stablehlo.multiply %143, %109 : tensor<2x4x16x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%144 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %146 = stablehlo.reshape %145 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %147 = stablehlo.negate %146 : tensor<2x4x16x1xf32>
    %148 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %149 = stablehlo.divide %141, %148 : tensor<2x4x16x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%147 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %152 = stablehlo.add %149, %151 : tensor<2x4x16x16xf32>
    %153 = stablehlo.multiply %152, %109 : tensor<2x4x16x16xf32>
    %154 = stablehlo.convert %153 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %155 = call @_where_0(%101#1, %154) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %156 = stablehlo.dot_general %155, %99, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %157 = stablehlo.transpose %156, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %158 = stablehlo.dot_general %155, %95, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %159 = stablehlo.transpose %158, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_19 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %160 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %161 = stablehlo.divide %159, %160 : tensor<2x16x4x8xbf16>
    %162 = stablehlo.reshape %140 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %163 = stablehlo.reduce(%162 init: %cst_20) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %164 = stablehlo.reshape %157 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %165 = stablehlo.reduce(%164 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %166 = stablehlo.convert %165 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %167 = stablehlo.slice %166 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %168 = stablehlo.slice %166 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %169 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %170 = stablehlo.multiply %168, %169 : tensor<2x16x2x4xf32>
    %171 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %172 = stablehlo.multiply %168, %171 : tensor<2x16x2x4xf32>
    %173 = stablehlo.negate %167 : tensor<2x16x2x4xf32>
    %174 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %175 = stablehlo.multiply %173, %174 : tensor<2x16x2x4xf32>
    %176 = stablehlo.add %172, %175 : tensor<2x16x2x4xf32>
    %177 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %178 = stablehlo.multiply %167, %177 : tensor<2x16x2x4xf32>
    %179 = stablehlo.add %170, %178 : tensor<2x16x2x4xf32>
    %180 = stablehlo.concatenate %179, %176, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %181 = stablehlo.convert %180 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %182 = stablehlo.convert %161 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %183 = stablehlo.slice %182 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %184 = stablehlo.slice %182 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %185 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %186 = stablehlo.multiply %184, %185 : tensor<2x16x4x4xf32>
    %187 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %188 = stablehlo.multiply %184, %187 : tensor<2x16x4x4xf32>
    %189 = stablehlo.negate %183 : tensor<2x16x4x4xf32>
    %190 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %191 = stablehlo.multiply %189, %190 : tensor<2x16x4x4xf32>
    %192 = stablehlo.add %188, %191 : tensor<2x16x4x4xf32>
    %193 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %194 = stablehlo.multiply %183, %193 : tensor<2x16x4x4xf32>
    %195 = stablehlo.add %186, %194 : tensor<2x16x4x4xf32>
    %196 = stablehlo.concatenate %195, %192, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %197 = stablehlo.convert %196 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %198 = stablehlo.reshape %163 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %199 = stablehlo.dot_general %198, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %200 = stablehlo.transpose %199, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %201 = stablehlo.reshape %181 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %202 = stablehlo.dot_general %201, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %203 = stablehlo.transpose %202, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %204 = stablehlo.reshape %197 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %205 = stablehlo.dot_general %204, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %206 = stablehlo.transpose %205, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %128, %203, %134, %206, %200 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<4x16x16xbf16>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3] : (tensor<4x16x16xi1>) -> tensor<2x4x16x16xi1>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %4, %2 : tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
}
// expect:
// line 126: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
