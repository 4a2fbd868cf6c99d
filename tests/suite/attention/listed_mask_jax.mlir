// test: attention
// A mask that is written out element by element.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %c = stablehlo.constant dense<"0x01000000000000000000000000000000010100000000000000000000000000000101010000000000000000000000000001010101000000000000000000000000010101010100000000000000000000000101010101010000000000000000000001010101010101000000000000000000010101010101010100000000000000000101010101010101010000000000000001010101010101010101000000000000010101010101010101010100000000000101010101010101010101010000000001010101010101010101010101000000010101010101010101010101010100000101010101010101010101010101010001010101010101010101010101010101"> : tensor<16x16xi1>
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %9:2 = call @_where(%c, %8, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xbf16>, tensor<f32>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %10 = stablehlo.reduce(%9#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x16xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %15 = stablehlo.subtract %9#0, %14 : tensor<2x4x16x16xbf16>
    %16 = stablehlo.exponential %15 : tensor<2x4x16x16xbf16>
    %17 = stablehlo.convert %16 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.convert %19 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %22 = stablehlo.divide %16, %21 : tensor<2x4x16x16xbf16>
    %23 = stablehlo.multiply %20, %20 : tensor<2x4x16x1xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %25 = stablehlo.divide %24, %23 : tensor<2x4x16x1xbf16>
    %26 = stablehlo.dot_general %5, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %28 = stablehlo.reshape %27 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.dot_general %28, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.add %arg4, %29 : tensor<2x16x32xbf16>
    %31 = stablehlo.convert %30 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %32 = stablehlo.multiply %31, %31 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %34 = stablehlo.multiply %33, %31 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%32 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %36 = stablehlo.divide %35, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %37 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %39 = stablehlo.multiply %38, %34 : tensor<2x16x32xf32>
    %40 = stablehlo.convert %39 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %41 = stablehlo.dot_general %40, %28, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %42 = stablehlo.transpose %41, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %43 = stablehlo.dot_general %40, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %44 = stablehlo.reshape %43 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %45 = stablehlo.transpose %44, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %46 = stablehlo.dot_general %45, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %47 = stablehlo.dot_general %45, %22, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %48 = stablehlo.transpose %47, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %49 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %50 = stablehlo.multiply %46, %49 : tensor<2x4x16x16xbf16>
    %51 = stablehlo.multiply %50, %16 : tensor<2x4x16x16xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %52 = stablehlo.reduce(%51 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %53 = stablehlo.reshape %52 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %54 = stablehlo.negate %53 : tensor<2x4x16x1xbf16>
    %55 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %56 = stablehlo.divide %46, %55 : tensor<2x4x16x16xbf16>
    %57 = stablehlo.convert %54 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %60 = stablehlo.convert %59 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %61 = stablehlo.add %56, %60 : tensor<2x4x16x16xbf16>
    %62 = stablehlo.multiply %61, %16 : tensor<2x4x16x16xbf16>
    %63 = call @_where_0(%9#1, %62) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_12 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %64 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %65 = stablehlo.multiply %63, %64 : tensor<2x4x16x16xbf16>
    %66 = stablehlo.dot_general %65, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %68 = stablehlo.dot_general %65, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %69 = stablehlo.transpose %68, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %70 = stablehlo.reshape %48 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %71 = stablehlo.dot_general %70, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %72 = stablehlo.transpose %71, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %73 = stablehlo.reshape %67 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %74 = stablehlo.dot_general %73, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %76 = stablehlo.reshape %69 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %77 = stablehlo.dot_general %76, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %78 = stablehlo.transpose %77, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %36, %75, %42, %78, %72 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %3, %1 : tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
}
// expect:
// line 26: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 CAUSAL window 0 scores 2x4x16x16
