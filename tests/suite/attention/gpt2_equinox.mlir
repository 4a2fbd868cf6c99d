// test: attention
// Causal attention of Equinox, batches by `vmap`.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %1 = call @tril(%0) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %2 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %3 = stablehlo.transpose %2, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %6 = stablehlo.transpose %5, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %7 = stablehlo.reshape %6 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %9 = stablehlo.transpose %8, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %10 = stablehlo.reshape %9 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %cst = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %12 = stablehlo.divide %4, %11 : tensor<2x16x4x8xbf16>
    %13 = stablehlo.dot_general %12, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %14:2 = call @_where(%1, %13, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xbf16>, tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %15 = stablehlo.convert %14#0 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<2x4x16x16xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x16x16xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<2x4x16x1xf32>
    %30 = stablehlo.convert %26 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %31 = stablehlo.dot_general %30, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %32 = stablehlo.transpose %31, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %33 = stablehlo.reshape %32 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.dot_general %arg3, %33, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %35 = stablehlo.transpose %34, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %36 = stablehlo.add %arg4, %35 : tensor<2x16x32xbf16>
    %37 = stablehlo.convert %36 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %38 = stablehlo.multiply %37, %37 : tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %40 = stablehlo.multiply %39, %37 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%38 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %42 = stablehlo.divide %41, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %43 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %45 = stablehlo.multiply %44, %40 : tensor<2x16x32xf32>
    %46 = stablehlo.convert %45 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.transpose %46, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %48 = stablehlo.dot_general %47, %arg3, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %49 = stablehlo.dot_general %47, %33, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %50 = stablehlo.reshape %48 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %52 = stablehlo.dot_general %51, %30, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %53 = stablehlo.transpose %52, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %54 = stablehlo.dot_general %51, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x16x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %55 = stablehlo.convert %54 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %56 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<2x4x16x16xf32>
    %58 = stablehlo.multiply %57, %22 : tensor<2x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %60 = stablehlo.reshape %59 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %61 = stablehlo.negate %60 : tensor<2x4x16x1xf32>
    %62 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %63 = stablehlo.divide %55, %62 : tensor<2x4x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%61 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %66 = stablehlo.add %63, %65 : tensor<2x4x16x16xf32>
    %67 = stablehlo.multiply %66, %22 : tensor<2x4x16x16xf32>
    %68 = stablehlo.convert %67 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %69 = call @_where_0(%14#1, %68) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %70 = stablehlo.dot_general %69, %12, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %71 = stablehlo.transpose %70, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %72 = stablehlo.dot_general %69, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %73 = stablehlo.transpose %72, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_12 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %74 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %75 = stablehlo.divide %73, %74 : tensor<2x16x4x8xbf16>
    %76 = stablehlo.reshape %53 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %77 = stablehlo.transpose %76, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %78 = stablehlo.dot_general %77, %arg4, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %79 = stablehlo.reshape %71 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %80 = stablehlo.transpose %79, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %81 = stablehlo.dot_general %80, %arg4, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %82 = stablehlo.reshape %75 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %83 = stablehlo.transpose %82, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %84 = stablehlo.dot_general %83, %arg4, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    return %42, %84, %81, %78, %49 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<bf16>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<16x16xbf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<16x16xbf16>) -> tensor<4x16x16xbf16>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x16x16xi1>) -> tensor<2x4x16x16xi1>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3] : (tensor<4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %5 = stablehlo.select %3, %arg1, %4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %5, %3 : tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
}
// expect:
// line 32: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
