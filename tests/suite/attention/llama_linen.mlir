// test: attention
// Key heads repeated for Flax.
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
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %100 = stablehlo.sqrt %cst_6 : tensor<f32>
    %101 = stablehlo.convert %100 : (tensor<f32>) -> tensor<bf16>
    %102 = stablehlo.broadcast_in_dim %101, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %103 = stablehlo.divide %46, %102 : tensor<2x16x4x8xbf16>
    %104 = stablehlo.dot_general %103, %89, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_7 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %105:2 = call @_where(%99, %104, %cst_7) : (tensor<2x1x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %cst_8 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %106 = stablehlo.reduce(%105#0 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_9 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %107 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %108 = stablehlo.maximum %107, %106 : tensor<2x4x16xbf16>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %111 = stablehlo.subtract %105#0, %110 : tensor<2x4x16x16xbf16>
    %112 = stablehlo.exponential %111 : tensor<2x4x16x16xbf16>
    %113 = stablehlo.convert %112 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %116 = stablehlo.convert %115 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %118 = stablehlo.divide %112, %117 : tensor<2x4x16x16xbf16>
    %119 = stablehlo.multiply %116, %116 : tensor<2x4x16x1xbf16>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %120 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %121 = stablehlo.divide %120, %119 : tensor<2x4x16x1xbf16>
    %122 = stablehlo.dot_general %91, %118, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %123 = stablehlo.transpose %122, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %124 = stablehlo.reshape %123 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %125 = stablehlo.dot_general %124, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %126 = stablehlo.add %arg4, %125 : tensor<2x16x32xbf16>
    %127 = stablehlo.convert %126 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %128 = stablehlo.multiply %127, %127 : tensor<2x16x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %130 = stablehlo.multiply %129, %127 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%128 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %132 = stablehlo.divide %131, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %133 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %135 = stablehlo.multiply %134, %130 : tensor<2x16x32xf32>
    %136 = stablehlo.convert %135 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %137 = stablehlo.dot_general %136, %124, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %138 = stablehlo.transpose %137, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %139 = stablehlo.dot_general %136, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %140 = stablehlo.reshape %139 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %141 = stablehlo.transpose %140, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %142 = stablehlo.dot_general %141, %91, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %143 = stablehlo.dot_general %141, %118, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %144 = stablehlo.transpose %143, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %145 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %146 = stablehlo.multiply %142, %145 : tensor<2x4x16x16xbf16>
    %147 = stablehlo.multiply %146, %112 : tensor<2x4x16x16xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %148 = stablehlo.reduce(%147 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %149 = stablehlo.reshape %148 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %150 = stablehlo.negate %149 : tensor<2x4x16x1xbf16>
    %151 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %152 = stablehlo.divide %142, %151 : tensor<2x4x16x16xbf16>
    %153 = stablehlo.convert %150 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %156 = stablehlo.convert %155 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %157 = stablehlo.add %152, %156 : tensor<2x4x16x16xbf16>
    %158 = stablehlo.multiply %157, %112 : tensor<2x4x16x16xbf16>
    %159 = call @_where_0(%105#1, %158) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %160 = stablehlo.dot_general %159, %103, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %161 = stablehlo.transpose %160, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %162 = stablehlo.dot_general %159, %89, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %163 = stablehlo.transpose %162, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %164 = stablehlo.broadcast_in_dim %101, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %165 = stablehlo.divide %163, %164 : tensor<2x16x4x8xbf16>
    %166 = stablehlo.reshape %144 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %167 = stablehlo.reduce(%166 init: %cst_19) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %168 = stablehlo.reshape %161 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %169 = stablehlo.reduce(%168 init: %cst_20) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %170 = stablehlo.convert %169 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %171 = stablehlo.slice %170 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %172 = stablehlo.slice %170 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %173 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %174 = stablehlo.multiply %172, %173 : tensor<2x16x2x4xf32>
    %175 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %176 = stablehlo.multiply %172, %175 : tensor<2x16x2x4xf32>
    %177 = stablehlo.negate %171 : tensor<2x16x2x4xf32>
    %178 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %179 = stablehlo.multiply %177, %178 : tensor<2x16x2x4xf32>
    %180 = stablehlo.add %176, %179 : tensor<2x16x2x4xf32>
    %181 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %182 = stablehlo.multiply %171, %181 : tensor<2x16x2x4xf32>
    %183 = stablehlo.add %174, %182 : tensor<2x16x2x4xf32>
    %184 = stablehlo.concatenate %183, %180, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %185 = stablehlo.convert %184 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %186 = stablehlo.convert %165 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %187 = stablehlo.slice %186 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %188 = stablehlo.slice %186 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %189 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %190 = stablehlo.multiply %188, %189 : tensor<2x16x4x4xf32>
    %191 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %192 = stablehlo.multiply %188, %191 : tensor<2x16x4x4xf32>
    %193 = stablehlo.negate %187 : tensor<2x16x4x4xf32>
    %194 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %195 = stablehlo.multiply %193, %194 : tensor<2x16x4x4xf32>
    %196 = stablehlo.add %192, %195 : tensor<2x16x4x4xf32>
    %197 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %198 = stablehlo.multiply %187, %197 : tensor<2x16x4x4xf32>
    %199 = stablehlo.add %190, %198 : tensor<2x16x4x4xf32>
    %200 = stablehlo.concatenate %199, %196, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %201 = stablehlo.convert %200 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %202 = stablehlo.reshape %167 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %203 = stablehlo.dot_general %202, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %204 = stablehlo.transpose %203, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %205 = stablehlo.reshape %185 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %206 = stablehlo.dot_general %205, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %207 = stablehlo.transpose %206, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %208 = stablehlo.reshape %201 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %209 = stablehlo.dot_general %208, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %210 = stablehlo.transpose %209, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %132, %207, %138, %210, %204 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %2, %0 : tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
}
// expect:
// line 129: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
