// test: attention
// A window of keys.
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
    %102 = stablehlo.reshape %46 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %103 = stablehlo.dot_general %87, %102, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x16x2x8xbf16>, tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x16x2xf32>
    %104 = stablehlo.transpose %103, dims = [0, 1, 4, 3, 2] : (tensor<2x2x16x16x2xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<2x2x2x16x16xf32>
    %cst_8 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %107:2 = call @_where(%101, %106, %cst_8) : (tensor<16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>)
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %108 = stablehlo.reduce(%107#0 init: %cst_9) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x2x16xf32>
    %110 = stablehlo.maximum %109, %108 : tensor<2x2x2x16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %113 = stablehlo.subtract %107#0, %112 : tensor<2x2x2x16x16xf32>
    %114 = stablehlo.exponential %113 : tensor<2x2x2x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_11) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %118 = stablehlo.divide %114, %117 : tensor<2x2x2x16x16xf32>
    %119 = stablehlo.multiply %116, %116 : tensor<2x2x2x16x1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %121 = stablehlo.divide %120, %119 : tensor<2x2x2x16x1xf32>
    %122 = stablehlo.convert %118 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %123 = stablehlo.dot_general %5, %122, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %124 = stablehlo.transpose %123, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x16x2x2x8xbf16>
    %125 = stablehlo.reshape %124 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x32xbf16>
    %126 = stablehlo.dot_general %125, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %127 = stablehlo.add %arg4, %126 : tensor<2x16x32xbf16>
    %128 = stablehlo.convert %127 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %129 = stablehlo.multiply %128, %128 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %131 = stablehlo.multiply %130, %128 : tensor<2x16x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%129 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %133 = stablehlo.divide %132, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %134 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %136 = stablehlo.multiply %135, %131 : tensor<2x16x32xf32>
    %137 = stablehlo.convert %136 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %138 = stablehlo.dot_general %137, %125, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %139 = stablehlo.transpose %138, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %140 = stablehlo.dot_general %137, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %141 = stablehlo.reshape %140 : (tensor<2x16x32xbf16>) -> tensor<2x16x2x2x8xbf16>
    %142 = stablehlo.transpose %141, dims = [0, 2, 4, 3, 1] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %143 = stablehlo.dot_general %142, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %144 = stablehlo.dot_general %142, %122, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %145 = stablehlo.transpose %144, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %146 = stablehlo.convert %143 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %147 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %148 = stablehlo.multiply %146, %147 : tensor<2x2x2x16x16xf32>
    %149 = stablehlo.multiply %148, %114 : tensor<2x2x2x16x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_18) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %151 = stablehlo.reshape %150 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %152 = stablehlo.negate %151 : tensor<2x2x2x16x1xf32>
    %153 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %154 = stablehlo.divide %146, %153 : tensor<2x2x2x16x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%152 init: %cst_19) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
    %157 = stablehlo.add %154, %156 : tensor<2x2x2x16x16xf32>
    %158 = stablehlo.multiply %157, %114 : tensor<2x2x2x16x16xf32>
    %159 = call @_where_0(%107#1, %158) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_20 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<2x2x2x16x16xf32>
    %162 = stablehlo.transpose %161, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x16x2xf32>
    %163 = stablehlo.convert %162 : tensor<2x2x16x16x2xf32>
    %164 = stablehlo.convert %87 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %165 = stablehlo.dot_general %163, %164, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
    %166 = stablehlo.transpose %165, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %167 = stablehlo.convert %166 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %168 = stablehlo.convert %162 : tensor<2x2x16x16x2xf32>
    %169 = stablehlo.convert %102 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xf32>
    %170 = stablehlo.dot_general %168, %169, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
    %171 = stablehlo.transpose %170, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %172 = stablehlo.convert %171 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %173 = stablehlo.reshape %167 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %174 = stablehlo.convert %172 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
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
    %190 = stablehlo.convert %173 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
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
    %206 = stablehlo.reshape %145 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %207 = stablehlo.dot_general %206, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %208 = stablehlo.transpose %207, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %209 = stablehlo.reshape %189 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %210 = stablehlo.dot_general %209, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %211 = stablehlo.transpose %210, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %212 = stablehlo.reshape %205 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %213 = stablehlo.dot_general %212, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %214 = stablehlo.transpose %213, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %133, %211, %139, %214, %208 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %3, %1 : tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
}
// expect:
// line 132: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 4 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 4 scores 2x4x16x16
