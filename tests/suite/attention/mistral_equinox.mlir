// test: attention
// A window of keys in the manner of Equinox.
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
    %94 = stablehlo.broadcast_in_dim %88, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %95 = stablehlo.broadcast_in_dim %88, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %96 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %98 = stablehlo.subtract %96, %97 : tensor<16x16xi32>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %99 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %100 = stablehlo.compare LT, %98, %99, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %101 = stablehlo.and %93, %100 : tensor<16x16xi1>
    %102 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %103 = stablehlo.reshape %102 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %104 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %105 = stablehlo.reshape %104 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_7 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %106 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %107 = stablehlo.divide %46, %106 : tensor<2x16x4x8xbf16>
    %108 = stablehlo.dot_general %107, %103, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_8 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %109:2 = call @_where(%101, %108, %cst_8) : (tensor<16x16xi1>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %110 = stablehlo.convert %109#0 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %113 = stablehlo.maximum %112, %111 : tensor<2x4x16xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %116 = stablehlo.subtract %110, %115 : tensor<2x4x16x16xf32>
    %117 = stablehlo.exponential %116 : tensor<2x4x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %121 = stablehlo.divide %117, %120 : tensor<2x4x16x16xf32>
    %122 = stablehlo.multiply %119, %119 : tensor<2x4x16x1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %124 = stablehlo.divide %123, %122 : tensor<2x4x16x1xf32>
    %125 = stablehlo.convert %121 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %126 = stablehlo.dot_general %105, %125, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %127 = stablehlo.transpose %126, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %128 = stablehlo.reshape %127 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %129 = stablehlo.dot_general %128, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %130 = stablehlo.add %arg4, %129 : tensor<2x16x32xbf16>
    %131 = stablehlo.convert %130 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %132 = stablehlo.multiply %131, %131 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %134 = stablehlo.multiply %133, %131 : tensor<2x16x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%132 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %136 = stablehlo.divide %135, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %137 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %139 = stablehlo.multiply %138, %134 : tensor<2x16x32xf32>
    %140 = stablehlo.convert %139 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %141 = stablehlo.dot_general %140, %128, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %142 = stablehlo.transpose %141, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %143 = stablehlo.dot_general %140, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %144 = stablehlo.reshape %143 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %145 = stablehlo.transpose %144, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %146 = stablehlo.dot_general %145, %105, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %147 = stablehlo.dot_general %145, %125, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %148 = stablehlo.transpose %147, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %149 = stablehlo.convert %146 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %150 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %151 = stablehlo.multiply %149, %150 : tensor<2x4x16x16xf32>
    %152 = stablehlo.multiply %151, %117 : tensor<2x4x16x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %154 = stablehlo.reshape %153 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %155 = stablehlo.negate %154 : tensor<2x4x16x1xf32>
    %156 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %157 = stablehlo.divide %149, %156 : tensor<2x4x16x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%155 init: %cst_19) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %160 = stablehlo.add %157, %159 : tensor<2x4x16x16xf32>
    %161 = stablehlo.multiply %160, %117 : tensor<2x4x16x16xf32>
    %162 = stablehlo.convert %161 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %163 = call @_where_0(%109#1, %162) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %164 = stablehlo.dot_general %163, %107, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %165 = stablehlo.transpose %164, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %166 = stablehlo.dot_general %163, %103, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %167 = stablehlo.transpose %166, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_20 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %168 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %169 = stablehlo.divide %167, %168 : tensor<2x16x4x8xbf16>
    %170 = stablehlo.reshape %148 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %171 = stablehlo.reduce(%170 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %172 = stablehlo.reshape %165 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %173 = stablehlo.reduce(%172 init: %cst_22) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %174 = stablehlo.convert %173 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %175 = stablehlo.slice %174 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %176 = stablehlo.slice %174 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %177 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %178 = stablehlo.multiply %176, %177 : tensor<2x16x2x4xf32>
    %179 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %180 = stablehlo.multiply %176, %179 : tensor<2x16x2x4xf32>
    %181 = stablehlo.negate %175 : tensor<2x16x2x4xf32>
    %182 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %183 = stablehlo.multiply %181, %182 : tensor<2x16x2x4xf32>
    %184 = stablehlo.add %180, %183 : tensor<2x16x2x4xf32>
    %185 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %186 = stablehlo.multiply %175, %185 : tensor<2x16x2x4xf32>
    %187 = stablehlo.add %178, %186 : tensor<2x16x2x4xf32>
    %188 = stablehlo.concatenate %187, %184, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %189 = stablehlo.convert %188 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %190 = stablehlo.convert %169 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %191 = stablehlo.slice %190 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %192 = stablehlo.slice %190 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %193 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %194 = stablehlo.multiply %192, %193 : tensor<2x16x4x4xf32>
    %195 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %196 = stablehlo.multiply %192, %195 : tensor<2x16x4x4xf32>
    %197 = stablehlo.negate %191 : tensor<2x16x4x4xf32>
    %198 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %199 = stablehlo.multiply %197, %198 : tensor<2x16x4x4xf32>
    %200 = stablehlo.add %196, %199 : tensor<2x16x4x4xf32>
    %201 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %202 = stablehlo.multiply %191, %201 : tensor<2x16x4x4xf32>
    %203 = stablehlo.add %194, %202 : tensor<2x16x4x4xf32>
    %204 = stablehlo.concatenate %203, %200, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %205 = stablehlo.convert %204 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %206 = stablehlo.reshape %171 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %207 = stablehlo.dot_general %206, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %208 = stablehlo.transpose %207, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %209 = stablehlo.reshape %189 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %210 = stablehlo.dot_general %209, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %211 = stablehlo.transpose %210, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %212 = stablehlo.reshape %205 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %213 = stablehlo.dot_general %212, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %214 = stablehlo.transpose %213, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %136, %211, %142, %214, %208 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
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
// line 135: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 1 CAUSAL window 4 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 4 scores 2x4x16x16
