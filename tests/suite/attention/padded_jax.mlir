// test: attention
// A condition that depends on data becomes a bias.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<2x16xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg5, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x16xbf16>
    %7 = stablehlo.compare GT, %arg2, %6, FLOAT : (tensor<2x16xbf16>, tensor<2x16xbf16>) -> tensor<2x16xi1>
    %8 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %10 = stablehlo.compare EQ, %8, %9, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<16xi1>) -> tensor<1x16xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x16xi1>) -> tensor<2x16xi1>
    %13 = stablehlo.or %7, %12 : tensor<2x16xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %15 = call @tril(%14) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %17 = stablehlo.broadcast_in_dim %13, dims = [0, 3] : (tensor<2x16xi1>) -> tensor<2x1x1x16xi1>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x1x16x16xi1>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x1x1x16xi1>) -> tensor<2x1x16x16xi1>
    %20 = stablehlo.and %18, %19 : tensor<2x1x16x16xi1>
    %21 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_1 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %23 = stablehlo.multiply %21, %22 : tensor<2x4x16x16xbf16>
    %cst_2 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %24:2 = call @_where(%20, %23, %cst_2) : (tensor<2x1x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<f32>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>)
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %25 = stablehlo.reduce(%24#0 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %27 = stablehlo.maximum %26, %25 : tensor<2x4x16xbf16>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %30 = stablehlo.subtract %24#0, %29 : tensor<2x4x16x16xbf16>
    %31 = stablehlo.exponential %30 : tensor<2x4x16x16xbf16>
    %32 = stablehlo.convert %31 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %35 = stablehlo.convert %34 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %37 = stablehlo.divide %31, %36 : tensor<2x4x16x16xbf16>
    %38 = stablehlo.multiply %35, %35 : tensor<2x4x16x1xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %40 = stablehlo.divide %39, %38 : tensor<2x4x16x1xbf16>
    %41 = stablehlo.dot_general %5, %37, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %42 = stablehlo.transpose %41, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %43 = stablehlo.reshape %42 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %44 = stablehlo.dot_general %43, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %45 = stablehlo.add %arg5, %44 : tensor<2x16x32xbf16>
    %46 = stablehlo.convert %45 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %47 = stablehlo.multiply %46, %46 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<2x16x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_9 : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %52 = stablehlo.divide %cst_10, %cst_11 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %54 = stablehlo.multiply %53, %49 : tensor<2x16x32xf32>
    %55 = stablehlo.convert %54 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.dot_general %55, %43, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %58 = stablehlo.dot_general %55, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.transpose %59, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %61 = stablehlo.dot_general %60, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %62 = stablehlo.dot_general %60, %37, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %63 = stablehlo.transpose %62, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %64 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %65 = stablehlo.multiply %61, %64 : tensor<2x4x16x16xbf16>
    %66 = stablehlo.multiply %65, %31 : tensor<2x4x16x16xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %67 = stablehlo.reduce(%66 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %68 = stablehlo.reshape %67 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %69 = stablehlo.negate %68 : tensor<2x4x16x1xbf16>
    %70 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %71 = stablehlo.divide %61, %70 : tensor<2x4x16x16xbf16>
    %72 = stablehlo.convert %69 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %75 = stablehlo.convert %74 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %76 = stablehlo.add %71, %75 : tensor<2x4x16x16xbf16>
    %77 = stablehlo.multiply %76, %31 : tensor<2x4x16x16xbf16>
    %78 = call @_where_0(%24#1, %77) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %79 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %80 = stablehlo.multiply %78, %79 : tensor<2x4x16x16xbf16>
    %81 = stablehlo.dot_general %80, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %82 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %83 = stablehlo.dot_general %80, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %84 = stablehlo.transpose %83, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %85 = stablehlo.reshape %63 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %86 = stablehlo.dot_general %85, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %88 = stablehlo.reshape %82 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %89 = stablehlo.dot_general %88, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %90 = stablehlo.transpose %89, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %91 = stablehlo.reshape %84 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %92 = stablehlo.dot_general %91, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %93 = stablehlo.transpose %92, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %94 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2x16xbf16>
    return %51, %90, %57, %94, %93, %87 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
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
  func.func private @_where(%arg0: tensor<2x1x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
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
// line 43: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>) scale 0.353515625 NO_MASK window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x1x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 NO_MASK window 0 scores 2x4x16x16
