// test: attention
// Causal attention of Flax Linen.
module {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<32x4x8xf32>, %arg2: tensor<32xf32>, %arg3: tensor<4x8x32xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<32x4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<32x4x8xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %8 = stablehlo.convert %7 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %9 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %10 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %11 = stablehlo.dot_general %arg8, %9, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %12 = stablehlo.reshape %10 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %14 = stablehlo.add %11, %13 : tensor<2x16x4x8xbf16>
    %15 = stablehlo.convert %arg1 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %16 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %17 = stablehlo.dot_general %arg8, %15, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %18 = stablehlo.reshape %16 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %20 = stablehlo.add %17, %19 : tensor<2x16x4x8xbf16>
    %21 = stablehlo.convert %arg7 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %22 = stablehlo.convert %arg6 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %23 = stablehlo.dot_general %arg8, %21, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %24 = stablehlo.reshape %22 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %26 = stablehlo.add %23, %25 : tensor<2x16x4x8xbf16>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %27 = stablehlo.sqrt %cst : tensor<f32>
    %28 = stablehlo.convert %27 : (tensor<f32>) -> tensor<bf16>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %30 = stablehlo.divide %14, %29 : tensor<2x16x4x8xbf16>
    %31 = stablehlo.dot_general %30, %20, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %32:2 = call @_where(%8, %31, %cst_0) : (tensor<2x1x16x16xf32>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %33 = stablehlo.reduce(%32#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %34 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %35 = stablehlo.maximum %34, %33 : tensor<2x4x16xbf16>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %38 = stablehlo.subtract %32#0, %37 : tensor<2x4x16x16xbf16>
    %39 = stablehlo.exponential %38 : tensor<2x4x16x16xbf16>
    %40 = stablehlo.convert %39 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %43 = stablehlo.convert %42 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %45 = stablehlo.divide %39, %44 : tensor<2x4x16x16xbf16>
    %46 = stablehlo.multiply %43, %43 : tensor<2x4x16x1xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %47 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %48 = stablehlo.divide %47, %46 : tensor<2x4x16x1xbf16>
    %49 = stablehlo.dot_general %26, %45, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %50 = stablehlo.transpose %49, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %51 = stablehlo.convert %arg3 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %52 = stablehlo.convert %arg2 : (tensor<32xf32>) -> tensor<32xbf16>
    %53 = stablehlo.dot_general %50, %51, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.reshape %52 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.add %53, %55 : tensor<2x16x32xbf16>
    %57 = stablehlo.add %arg8, %56 : tensor<2x16x32xbf16>
    %58 = stablehlo.convert %57 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %59 = stablehlo.multiply %58, %58 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %61 = stablehlo.multiply %60, %58 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%59 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %63 = stablehlo.divide %62, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %64 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %66 = stablehlo.multiply %65, %61 : tensor<2x16x32xf32>
    %67 = stablehlo.convert %66 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %68 = stablehlo.reduce(%67 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %69 = stablehlo.reshape %68 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %70 = stablehlo.reshape %69 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %71 = stablehlo.dot_general %67, %50, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %72 = stablehlo.transpose %71, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %73 = stablehlo.dot_general %67, %51, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %74 = stablehlo.convert %70 : (tensor<32xbf16>) -> tensor<32xf32>
    %75 = stablehlo.convert %72 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %76 = stablehlo.transpose %73, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %77 = stablehlo.dot_general %76, %26, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %78 = stablehlo.dot_general %76, %45, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %79 = stablehlo.transpose %78, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %80 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %81 = stablehlo.multiply %77, %80 : tensor<2x4x16x16xbf16>
    %82 = stablehlo.multiply %81, %39 : tensor<2x4x16x16xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %83 = stablehlo.reduce(%82 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %84 = stablehlo.reshape %83 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %85 = stablehlo.negate %84 : tensor<2x4x16x1xbf16>
    %86 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %87 = stablehlo.divide %77, %86 : tensor<2x4x16x16xbf16>
    %88 = stablehlo.convert %85 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.reduce(%88 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %91 = stablehlo.convert %90 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %92 = stablehlo.add %87, %91 : tensor<2x4x16x16xbf16>
    %93 = stablehlo.multiply %92, %39 : tensor<2x4x16x16xbf16>
    %94 = call @_where_0(%32#1, %93) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %95 = stablehlo.dot_general %94, %30, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %96 = stablehlo.transpose %95, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %97 = stablehlo.dot_general %94, %20, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %99 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %100 = stablehlo.divide %98, %99 : tensor<2x16x4x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %101 = stablehlo.reduce(%79 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %102 = stablehlo.reshape %101 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %103 = stablehlo.reshape %102 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %104 = stablehlo.dot_general %79, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %105 = stablehlo.transpose %104, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %106 = stablehlo.convert %103 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %107 = stablehlo.convert %105 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %108 = stablehlo.reduce(%96 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %109 = stablehlo.reshape %108 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %110 = stablehlo.reshape %109 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %111 = stablehlo.dot_general %96, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %112 = stablehlo.transpose %111, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %113 = stablehlo.convert %110 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %114 = stablehlo.convert %112 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %115 = stablehlo.reduce(%100 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %116 = stablehlo.reshape %115 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %117 = stablehlo.reshape %116 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %118 = stablehlo.dot_general %100, %arg8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %119 = stablehlo.transpose %118, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %120 = stablehlo.convert %117 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %121 = stablehlo.convert %119 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %63, %113, %114, %74, %75, %120, %121, %106, %107 : tensor<f32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
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
// line 48: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
