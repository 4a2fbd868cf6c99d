// test: pipeline stages=2 microbatches=4
// Images become smaller on the way, so that less crosses further on.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x10xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<3x3x4x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<3x3x4x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x3x3x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<3x3x8x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<3x3x8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<2x2x4x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x10xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<3x3x4x4xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<3x3x4x4xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<3x3x3x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<3x3x8x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<3x3x8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x8x8x3xf32>, %arg15: tensor<8xi32>) -> (tensor<2x2x4x8xf32> {jax.result_info = "result[0]['down']"}, tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[0]['one'][0]"}, tensor<3x3x4x4xf32> {jax.result_info = "result[0]['one'][1]"}, tensor<3x3x3x4xf32> {jax.result_info = "result[0]['stem']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['two'][0]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['two'][1]"}, tensor<2x2x4x8xf32> {jax.result_info = "result[1]['down']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[1]['one'][0]"}, tensor<3x3x4x4xf32> {jax.result_info = "result[1]['one'][1]"}, tensor<3x3x3x4xf32> {jax.result_info = "result[1]['stem']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[1]['two'][0]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[1]['two'][1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convolution(%arg14, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<8x8x8x4xf32>
    %1 = stablehlo.convolution(%0, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<8x8x8x4xf32>
    %2 = call @relu(%1) : (tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %4 = stablehlo.compare GT, %1, %3, FLOAT : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %6 = stablehlo.add %0, %2 : tensor<8x8x8x4xf32>
    %7 = stablehlo.convolution(%6, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<8x8x8x4xf32>
    %8 = call @relu(%7) : (tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %10 = stablehlo.compare GT, %7, %9, FLOAT : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %12 = stablehlo.add %6, %8 : tensor<8x8x8x4xf32>
    %13 = stablehlo.convolution(%12, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<2x2x4x8xf32>) -> tensor<8x4x4x8xf32>
    %14 = stablehlo.convolution(%13, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x4x4x8xf32>
    %15 = call @relu_0(%14) : (tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %17 = stablehlo.compare GT, %14, %16, FLOAT : (tensor<8x4x4x8xf32>, tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %19 = stablehlo.add %13, %15 : tensor<8x4x4x8xf32>
    %20 = stablehlo.convolution(%19, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x4x4x8xf32>
    %21 = call @relu_0(%20) : (tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %23 = stablehlo.compare GT, %20, %22, FLOAT : (tensor<8x4x4x8xf32>, tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %25 = stablehlo.add %19, %21 : tensor<8x4x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_7) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x4x4x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %28 = stablehlo.divide %26, %27 : tensor<8x8xf32>
    %29 = stablehlo.dot_general %28, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_9) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %31 = stablehlo.reshape %30 : (tensor<8xf32>) -> tensor<8x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %33 = stablehlo.compare EQ, %29, %32, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %34 = stablehlo.convert %33 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.maximum %36, %30 : tensor<8xf32>
    %38 = stablehlo.compare EQ, %30, %37, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.select %38, %39, %40 : tensor<8xi1>, tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.compare EQ, %42, %37, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %46 = stablehlo.select %43, %44, %45 : tensor<8xi1>, tensor<8xf32>
    %47 = stablehlo.divide %41, %46 : tensor<8xf32>
    %48 = stablehlo.is_finite %37 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %50 = stablehlo.select %48, %37, %49 : tensor<8xi1>, tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %54 = stablehlo.subtract %29, %53 : tensor<8x10xf32>
    %55 = stablehlo.exponential %54 : tensor<8x10xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %57 = stablehlo.sign %56 : tensor<8xf32>
    %58 = stablehlo.abs %56 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %60 = stablehlo.compare GE, %56, %59, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %61 = stablehlo.log %58 : tensor<8xf32>
    %62 = stablehlo.add %61, %50 : tensor<8xf32>
    %63 = call @_one_hot(%arg15) : (tensor<8xi32>) -> tensor<8x10xf32>
    %64 = stablehlo.multiply %29, %63 : tensor<8x10xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.subtract %62, %65 : tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_22) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %68 = stablehlo.divide %67, %cst_23 : tensor<f32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %69 = stablehlo.divide %cst_24, %cst_25 : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %71 = stablehlo.negate %70 : tensor<8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %73 = stablehlo.multiply %72, %63 : tensor<8x10xf32>
    %74 = stablehlo.divide %70, %58 : tensor<8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %76 = stablehlo.select %60, %75, %74 : tensor<8xi1>, tensor<8xf32>
    %77 = stablehlo.select %60, %74, %75 : tensor<8xi1>, tensor<8xf32>
    %78 = stablehlo.negate %76 : tensor<8xf32>
    %79 = stablehlo.add %77, %78 : tensor<8xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %81 = stablehlo.multiply %80, %55 : tensor<8x10xf32>
    %82 = stablehlo.add %73, %81 : tensor<8x10xf32>
    %83 = stablehlo.dot_general %82, %28, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %85 = stablehlo.dot_general %82, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %cst_27 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %87 = stablehlo.divide %85, %86 : tensor<8x8xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x4x4x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %90 = stablehlo.select %23, %88, %89 : tensor<8x4x4x8xi1>, tensor<8x4x4x8xf32>
    %91 = stablehlo.convolution(%19, %90) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<8x4x4x8xf32>) -> tensor<3x3x8x8xf32>
    %92 = stablehlo.reverse %arg6, dims = [0, 1] : tensor<3x3x8x8xf32>
    %93 = stablehlo.convolution(%90, %92) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x4x4x8xf32>
    %94 = stablehlo.add %88, %93 : tensor<8x4x4x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %96 = stablehlo.select %17, %94, %95 : tensor<8x4x4x8xi1>, tensor<8x4x4x8xf32>
    %97 = stablehlo.convolution(%13, %96) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<8x4x4x8xf32>) -> tensor<3x3x8x8xf32>
    %98 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<3x3x8x8xf32>
    %99 = stablehlo.convolution(%96, %98) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x4x4x8xf32>
    %100 = stablehlo.add %94, %99 : tensor<8x4x4x8xf32>
    %101 = stablehlo.convolution(%12, %100) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<8x4x4x8xf32>) -> tensor<2x2x4x8xf32>
    %102 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x2x4x8xf32>
    %103 = stablehlo.convolution(%100, %102) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<8x8x8x4xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %105 = stablehlo.select %10, %103, %104 : tensor<8x8x8x4xi1>, tensor<8x8x8x4xf32>
    %106 = stablehlo.convolution(%6, %105) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<3x3x4x4xf32>
    %107 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<3x3x4x4xf32>
    %108 = stablehlo.convolution(%105, %107) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<8x8x8x4xf32>
    %109 = stablehlo.add %103, %108 : tensor<8x8x8x4xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %111 = stablehlo.select %4, %109, %110 : tensor<8x8x8x4xi1>, tensor<8x8x8x4xf32>
    %112 = stablehlo.convolution(%0, %111) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<3x3x4x4xf32>
    %113 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x4x4xf32>
    %114 = stablehlo.convolution(%111, %113) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<8x8x8x4xf32>
    %115 = stablehlo.add %109, %114 : tensor<8x8x8x4xf32>
    %116 = stablehlo.convolution(%arg14, %115) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8x8x3xf32>, tensor<8x8x8x4xf32>) -> tensor<3x3x3x4xf32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x2x4x8xf32>
    %118 = stablehlo.multiply %117, %arg7 : tensor<2x2x4x8xf32>
    %119 = stablehlo.add %118, %101 : tensor<2x2x4x8xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %121 = stablehlo.multiply %120, %arg8 : tensor<8x10xf32>
    %122 = stablehlo.add %121, %84 : tensor<8x10xf32>
    %cst_34 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %124 = stablehlo.multiply %123, %arg9 : tensor<3x3x4x4xf32>
    %125 = stablehlo.add %124, %112 : tensor<3x3x4x4xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %127 = stablehlo.multiply %126, %arg10 : tensor<3x3x4x4xf32>
    %128 = stablehlo.add %127, %106 : tensor<3x3x4x4xf32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %130 = stablehlo.multiply %129, %arg11 : tensor<3x3x3x4xf32>
    %131 = stablehlo.add %130, %116 : tensor<3x3x3x4xf32>
    %cst_37 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %133 = stablehlo.multiply %132, %arg12 : tensor<3x3x8x8xf32>
    %134 = stablehlo.add %133, %97 : tensor<3x3x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %136 = stablehlo.multiply %135, %arg13 : tensor<3x3x8x8xf32>
    %137 = stablehlo.add %136, %91 : tensor<3x3x8x8xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x2x4x8xf32>
    %139 = stablehlo.multiply %138, %119 : tensor<2x2x4x8xf32>
    %140 = stablehlo.subtract %arg0, %139 : tensor<2x2x4x8xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %142 = stablehlo.multiply %141, %122 : tensor<8x10xf32>
    %143 = stablehlo.subtract %arg1, %142 : tensor<8x10xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %145 = stablehlo.multiply %144, %125 : tensor<3x3x4x4xf32>
    %146 = stablehlo.subtract %arg2, %145 : tensor<3x3x4x4xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %148 = stablehlo.multiply %147, %128 : tensor<3x3x4x4xf32>
    %149 = stablehlo.subtract %arg3, %148 : tensor<3x3x4x4xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %151 = stablehlo.multiply %150, %131 : tensor<3x3x3x4xf32>
    %152 = stablehlo.subtract %arg4, %151 : tensor<3x3x3x4xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %154 = stablehlo.multiply %153, %134 : tensor<3x3x8x8xf32>
    %155 = stablehlo.subtract %arg5, %154 : tensor<3x3x8x8xf32>
    %cst_45 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %157 = stablehlo.multiply %156, %137 : tensor<3x3x8x8xf32>
    %158 = stablehlo.subtract %arg6, %157 : tensor<3x3x8x8xf32>
    return %140, %143, %146, %149, %152, %155, %158, %119, %122, %125, %128, %131, %134, %137, %68 : tensor<2x2x4x8xf32>, tensor<8x10xf32>, tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x3x4xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<2x2x4x8xf32>, tensor<8x10xf32>, tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x3x4xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x8x8x4xf32>
    return %1 : tensor<8x8x8x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x4x4x8xf32>
    return %1 : tensor<8x4x4x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<8x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x10xi32>, tensor<8x10xi32>) -> tensor<8x10xi1>
    %5 = stablehlo.convert %4 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    return %5 : tensor<8x10xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
