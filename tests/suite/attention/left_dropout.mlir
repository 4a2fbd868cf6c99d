// test: attention
// Dropout of probabilities leaves an attention as it is.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
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
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x16xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x16x16xbf16>
    %15 = stablehlo.exponential %14 : tensor<2x4x16x16xbf16>
    %16 = stablehlo.convert %15 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %19 = stablehlo.convert %18 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %21 = stablehlo.divide %15, %20 : tensor<2x4x16x16xbf16>
    %22 = stablehlo.multiply %19, %19 : tensor<2x4x16x1xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %24 = stablehlo.divide %23, %22 : tensor<2x4x16x1xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<32> : tensor<i32>
    %25 = stablehlo.shift_right_logical %c, %c_4 : tensor<i32>
    %26 = stablehlo.convert %25 : (tensor<i32>) -> tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_5 = stablehlo.constant dense<-1> : tensor<i32>
    %28 = stablehlo.and %c, %c_5 : tensor<i32>
    %29 = stablehlo.convert %28 : (tensor<i32>) -> tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %31 = stablehlo.concatenate %27, %30, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %32 = call @_bernoulli(%31, %cst_6) : (tensor<2xui32>, tensor<f32>) -> tensor<2x4x16x16xi1>
    %cst_7 = stablehlo.constant dense<8.984370e-01> : tensor<bf16>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %34 = stablehlo.divide %21, %33 : tensor<2x4x16x16xbf16>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %35 = call @_where(%32, %34, %c_8) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
    %36 = stablehlo.dot_general %5, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %37 = stablehlo.transpose %36, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %38 = stablehlo.reshape %37 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %39 = stablehlo.dot_general %38, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %40 = stablehlo.add %arg4, %39 : tensor<2x16x32xbf16>
    %41 = stablehlo.convert %40 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %42 = stablehlo.multiply %41, %41 : tensor<2x16x32xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %44 = stablehlo.multiply %43, %41 : tensor<2x16x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%42 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %46 = stablehlo.divide %45, %cst_11 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %47 = stablehlo.divide %cst_12, %cst_13 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %49 = stablehlo.multiply %48, %44 : tensor<2x16x32xf32>
    %50 = stablehlo.convert %49 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %51 = stablehlo.dot_general %50, %38, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %53 = stablehlo.dot_general %50, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.reshape %53 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %55 = stablehlo.transpose %54, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %56 = stablehlo.dot_general %55, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %57 = stablehlo.dot_general %55, %35, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %58 = stablehlo.transpose %57, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %59 = call @_where_0(%32, %56) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<8.984370e-01> : tensor<bf16>
    %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %61 = stablehlo.divide %59, %60 : tensor<2x4x16x16xbf16>
    %62 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %63 = stablehlo.multiply %61, %62 : tensor<2x4x16x16xbf16>
    %64 = stablehlo.multiply %63, %15 : tensor<2x4x16x16xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %65 = stablehlo.reduce(%64 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %66 = stablehlo.reshape %65 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %67 = stablehlo.negate %66 : tensor<2x4x16x1xbf16>
    %68 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %69 = stablehlo.divide %61, %68 : tensor<2x4x16x16xbf16>
    %70 = stablehlo.convert %67 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %73 = stablehlo.convert %72 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %74 = stablehlo.add %69, %73 : tensor<2x4x16x16xbf16>
    %75 = stablehlo.multiply %74, %15 : tensor<2x4x16x16xbf16>
    %cst_17 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %77 = stablehlo.multiply %75, %76 : tensor<2x4x16x16xbf16>
    %78 = stablehlo.dot_general %77, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %79 = stablehlo.transpose %78, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %80 = stablehlo.dot_general %77, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %81 = stablehlo.transpose %80, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %82 = stablehlo.reshape %58 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %83 = stablehlo.dot_general %82, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %85 = stablehlo.reshape %79 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %86 = stablehlo.dot_general %85, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %88 = stablehlo.reshape %81 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %89 = stablehlo.dot_general %88, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %90 = stablehlo.transpose %89, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %46, %87, %52, %90, %84 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<2x4x16x16xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xi1>
    return %2 : tensor<2x4x16x16xi1>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x4x16x16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<2x4x16x16xui64>
    %9 = stablehlo.iota dim = 1 : tensor<2x4x16x16xui64>
    %10 = stablehlo.iota dim = 2 : tensor<2x4x16x16xui64>
    %11 = stablehlo.iota dim = 3 : tensor<2x4x16x16xui64>
    %c = stablehlo.constant dense<1024> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2x4x16x16xui64>
    %13 = stablehlo.multiply %12, %8 : tensor<2x4x16x16xui64>
    %c_0 = stablehlo.constant dense<256> : tensor<ui64>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2x4x16x16xui64>
    %15 = stablehlo.multiply %14, %9 : tensor<2x4x16x16xui64>
    %c_1 = stablehlo.constant dense<16> : tensor<ui64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<2x4x16x16xui64>
    %17 = stablehlo.multiply %16, %10 : tensor<2x4x16x16xui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %18 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui64>) -> tensor<2x4x16x16xui64>
    %19 = stablehlo.multiply %18, %11 : tensor<2x4x16x16xui64>
    %20 = stablehlo.add %13, %15 : tensor<2x4x16x16xui64>
    %21 = stablehlo.add %20, %17 : tensor<2x4x16x16xui64>
    %22 = stablehlo.add %21, %19 : tensor<2x4x16x16xui64>
    %c_3 = stablehlo.constant dense<32> : tensor<ui64>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui64>) -> tensor<2x4x16x16xui64>
    %24 = stablehlo.shift_right_logical %22, %23 : tensor<2x4x16x16xui64>
    %25 = stablehlo.convert %22 : (tensor<2x4x16x16xui64>) -> tensor<2x4x16x16xui32>
    %26 = stablehlo.convert %24 : (tensor<2x4x16x16xui64>) -> tensor<2x4x16x16xui32>
    %27:2 = call @threefry2x32(%5, %7, %26, %25) : (tensor<ui32>, tensor<ui32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>) -> (tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>)
    %28 = stablehlo.xor %27#0, %27#1 : tensor<2x4x16x16xui32>
    %c_4 = stablehlo.constant dense<9> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %30 = stablehlo.shift_right_logical %28, %29 : tensor<2x4x16x16xui32>
    %c_5 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %31 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %32 = stablehlo.or %30, %31 : tensor<2x4x16x16xui32>
    %33 = stablehlo.bitcast_convert %32 : (tensor<2x4x16x16xui32>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %35 = stablehlo.subtract %33, %34 : tensor<2x4x16x16xf32>
    %36 = stablehlo.subtract %3, %2 : tensor<1x1x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x16x16xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<2x4x16x16xf32>
    %39 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x16x16xf32>
    %40 = stablehlo.add %38, %39 : tensor<2x4x16x16xf32>
    %41 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x16x16xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<2x4x16x16xf32>
    return %42 : tensor<2x4x16x16xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2x4x16x16xui32>, %arg3: tensor<2x4x16x16xui32>) -> (tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<2x4x16x16xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<2x4x16x16xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x4x16x16xui32>, %arg2: tensor<2x4x16x16xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<2x4x16x16xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<2x4x16x16xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2x4x16x16xui32>
    %9 = stablehlo.or %5, %8 : tensor<2x4x16x16xui32>
    %10 = stablehlo.xor %3, %9 : tensor<2x4x16x16xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<2x4x16x16xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<2x4x16x16xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<2x4x16x16xui32>
    %19 = stablehlo.or %15, %18 : tensor<2x4x16x16xui32>
    %20 = stablehlo.xor %13, %19 : tensor<2x4x16x16xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<2x4x16x16xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<2x4x16x16xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<2x4x16x16xui32>
    %29 = stablehlo.or %25, %28 : tensor<2x4x16x16xui32>
    %30 = stablehlo.xor %23, %29 : tensor<2x4x16x16xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<2x4x16x16xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<2x4x16x16xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<2x4x16x16xui32>
    %39 = stablehlo.or %35, %38 : tensor<2x4x16x16xui32>
    %40 = stablehlo.xor %33, %39 : tensor<2x4x16x16xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %42 = stablehlo.add %33, %41 : tensor<2x4x16x16xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %44 = stablehlo.add %40, %43 : tensor<2x4x16x16xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2x4x16x16xui32>
    %48 = stablehlo.add %44, %47 : tensor<2x4x16x16xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2x4x16x16xui32>, tensor<2x4x16x16xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @_where(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<i32>) -> tensor<2x4x16x16xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %2 : tensor<2x4x16x16xbf16>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
}
// expect: line 23: left, as the probabilities are changed before they meet the values, as by dropout
