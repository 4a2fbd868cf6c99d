// test: attention
// A window of keys by two masks of Flax.
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
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %89 = stablehlo.reshape %88 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %90 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %91 = stablehlo.reshape %90 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %92 = stablehlo.iota dim = 0 : tensor<16xi32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %95 = stablehlo.broadcast_in_dim %93, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %96 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %98 = stablehlo.compare GE, %96, %97, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %100 = stablehlo.iota dim = 0 : tensor<16xi32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %102 = stablehlo.iota dim = 0 : tensor<16xi32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %104 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %105 = stablehlo.broadcast_in_dim %103, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %106 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %107 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %108 = stablehlo.subtract %106, %107 : tensor<2x16x16xi32>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %109 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2x16x16xi32>
    %110 = stablehlo.compare LT, %108, %109, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %112 = stablehlo.convert %111 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %113 = stablehlo.convert %99 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %115 = stablehlo.compare NE, %113, %114, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %117 = stablehlo.compare NE, %112, %116, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %118 = stablehlo.and %115, %117 : tensor<2x1x16x16xi1>
    %119 = stablehlo.convert %118 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %120 = stablehlo.sqrt %cst_9 : tensor<f32>
    %121 = stablehlo.convert %120 : (tensor<f32>) -> tensor<bf16>
    %122 = stablehlo.broadcast_in_dim %121, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %123 = stablehlo.divide %46, %122 : tensor<2x16x4x8xbf16>
    %124 = stablehlo.dot_general %123, %89, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_10 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %125:2 = call @_where(%119, %124, %cst_10) : (tensor<2x1x16x16xf32>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %cst_11 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %126 = stablehlo.reduce(%125#0 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_12 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %127 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %128 = stablehlo.maximum %127, %126 : tensor<2x4x16xbf16>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %131 = stablehlo.subtract %125#0, %130 : tensor<2x4x16x16xbf16>
    %132 = stablehlo.exponential %131 : tensor<2x4x16x16xbf16>
    %133 = stablehlo.convert %132 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.reduce(%133 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %136 = stablehlo.convert %135 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %138 = stablehlo.divide %132, %137 : tensor<2x4x16x16xbf16>
    %139 = stablehlo.multiply %136, %136 : tensor<2x4x16x1xbf16>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %140 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %141 = stablehlo.divide %140, %139 : tensor<2x4x16x1xbf16>
    %142 = stablehlo.dot_general %91, %138, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %143 = stablehlo.transpose %142, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %144 = stablehlo.reshape %143 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %145 = stablehlo.dot_general %144, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %146 = stablehlo.add %arg4, %145 : tensor<2x16x32xbf16>
    %147 = stablehlo.convert %146 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %148 = stablehlo.multiply %147, %147 : tensor<2x16x32xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %150 = stablehlo.multiply %149, %147 : tensor<2x16x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%148 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %152 = stablehlo.divide %151, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %153 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %155 = stablehlo.multiply %154, %150 : tensor<2x16x32xf32>
    %156 = stablehlo.convert %155 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %157 = stablehlo.dot_general %156, %144, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %158 = stablehlo.transpose %157, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %159 = stablehlo.dot_general %156, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %160 = stablehlo.reshape %159 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %161 = stablehlo.transpose %160, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %162 = stablehlo.dot_general %161, %91, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %163 = stablehlo.dot_general %161, %138, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %164 = stablehlo.transpose %163, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %165 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %166 = stablehlo.multiply %162, %165 : tensor<2x4x16x16xbf16>
    %167 = stablehlo.multiply %166, %132 : tensor<2x4x16x16xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %168 = stablehlo.reduce(%167 init: %cst_20) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %169 = stablehlo.reshape %168 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %170 = stablehlo.negate %169 : tensor<2x4x16x1xbf16>
    %171 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %172 = stablehlo.divide %162, %171 : tensor<2x4x16x16xbf16>
    %173 = stablehlo.convert %170 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %176 = stablehlo.convert %175 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %177 = stablehlo.add %172, %176 : tensor<2x4x16x16xbf16>
    %178 = stablehlo.multiply %177, %132 : tensor<2x4x16x16xbf16>
    %179 = call @_where_0(%125#1, %178) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %180 = stablehlo.dot_general %179, %123, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %181 = stablehlo.transpose %180, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %182 = stablehlo.dot_general %179, %89, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %183 = stablehlo.transpose %182, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %184 = stablehlo.broadcast_in_dim %121, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %185 = stablehlo.divide %183, %184 : tensor<2x16x4x8xbf16>
    %186 = stablehlo.reshape %164 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %187 = stablehlo.reduce(%186 init: %cst_22) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %188 = stablehlo.reshape %181 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %189 = stablehlo.reduce(%188 init: %cst_23) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %190 = stablehlo.convert %189 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %191 = stablehlo.slice %190 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %192 = stablehlo.slice %190 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %193 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %194 = stablehlo.multiply %192, %193 : tensor<2x16x2x4xf32>
    %195 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %196 = stablehlo.multiply %192, %195 : tensor<2x16x2x4xf32>
    %197 = stablehlo.negate %191 : tensor<2x16x2x4xf32>
    %198 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %199 = stablehlo.multiply %197, %198 : tensor<2x16x2x4xf32>
    %200 = stablehlo.add %196, %199 : tensor<2x16x2x4xf32>
    %201 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %202 = stablehlo.multiply %191, %201 : tensor<2x16x2x4xf32>
    %203 = stablehlo.add %194, %202 : tensor<2x16x2x4xf32>
    %204 = stablehlo.concatenate %203, %200, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %205 = stablehlo.convert %204 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %206 = stablehlo.convert %185 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %207 = stablehlo.slice %206 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %208 = stablehlo.slice %206 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %209 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %210 = stablehlo.multiply %208, %209 : tensor<2x16x4x4xf32>
    %211 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %212 = stablehlo.multiply %208, %211 : tensor<2x16x4x4xf32>
    %213 = stablehlo.negate %207 : tensor<2x16x4x4xf32>
    %214 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %215 = stablehlo.multiply %213, %214 : tensor<2x16x4x4xf32>
    %216 = stablehlo.add %212, %215 : tensor<2x16x4x4xf32>
    %217 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %218 = stablehlo.multiply %207, %217 : tensor<2x16x4x4xf32>
    %219 = stablehlo.add %210, %218 : tensor<2x16x4x4xf32>
    %220 = stablehlo.concatenate %219, %216, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %221 = stablehlo.convert %220 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %222 = stablehlo.reshape %187 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %223 = stablehlo.dot_general %222, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %224 = stablehlo.transpose %223, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %225 = stablehlo.reshape %205 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %226 = stablehlo.dot_general %225, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %227 = stablehlo.transpose %226, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %228 = stablehlo.reshape %221 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %229 = stablehlo.dot_general %228, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %230 = stablehlo.transpose %229, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %152, %227, %158, %230, %224 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x16x16xf32>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
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
// line 152: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 1 CAUSAL window 4 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 4 scores 2x4x16x16
