// test: pipeline stages=2 microbatches=4
// A head in the middle has a loss of its own, and both are reported.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x10xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x10xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x10xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x16xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x8xf32>, %arg21: tensor<8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['early']"}, tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][3]['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['early']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][3]['out']"}, tensor<f32> {jax.result_info = "result[2][0]"}, tensor<f32> {jax.result_info = "result[2][1]"}) {
    %0 = stablehlo.dot_general %arg20, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %arg20, %4 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %7, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.add %5, %10 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %14 = stablehlo.reshape %13 : (tensor<8xf32>) -> tensor<8x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %16 = stablehlo.compare EQ, %12, %15, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %17 = stablehlo.convert %16 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.maximum %19, %13 : tensor<8xf32>
    %21 = stablehlo.compare EQ, %13, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<8xi1>, tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.compare EQ, %25, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %29 = stablehlo.select %26, %27, %28 : tensor<8xi1>, tensor<8xf32>
    %30 = stablehlo.divide %24, %29 : tensor<8xf32>
    %31 = stablehlo.is_finite %20 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.select %31, %20, %32 : tensor<8xi1>, tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %37 = stablehlo.subtract %12, %36 : tensor<8x10xf32>
    %38 = stablehlo.exponential %37 : tensor<8x10xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %40 = stablehlo.sign %39 : tensor<8xf32>
    %41 = stablehlo.abs %39 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.compare GE, %39, %42, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %44 = stablehlo.log %41 : tensor<8xf32>
    %45 = stablehlo.add %44, %33 : tensor<8xf32>
    %46 = call @_one_hot(%arg21) : (tensor<8xi32>) -> tensor<8x10xf32>
    %47 = stablehlo.multiply %12, %46 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %49 = stablehlo.subtract %45, %48 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_15 : tensor<f32>
    %52 = stablehlo.dot_general %11, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %53 = stablehlo.tanh %52 : tensor<8x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %55 = stablehlo.subtract %54, %53 : tensor<8x16xf32>
    %56 = stablehlo.dot_general %53, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %57 = stablehlo.add %11, %56 : tensor<8x8xf32>
    %58 = stablehlo.dot_general %57, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %59 = stablehlo.tanh %58 : tensor<8x16xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %61 = stablehlo.subtract %60, %59 : tensor<8x16xf32>
    %62 = stablehlo.dot_general %59, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %63 = stablehlo.add %57, %62 : tensor<8x8xf32>
    %64 = stablehlo.dot_general %63, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_18) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.reshape %65 : (tensor<8xf32>) -> tensor<8x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %68 = stablehlo.compare EQ, %64, %67, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %69 = stablehlo.convert %68 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %72 = stablehlo.maximum %71, %65 : tensor<8xf32>
    %73 = stablehlo.compare EQ, %65, %72, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %76 = stablehlo.select %73, %74, %75 : tensor<8xi1>, tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %78 = stablehlo.compare EQ, %77, %72, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %81 = stablehlo.select %78, %79, %80 : tensor<8xi1>, tensor<8xf32>
    %82 = stablehlo.divide %76, %81 : tensor<8xf32>
    %83 = stablehlo.is_finite %72 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %85 = stablehlo.select %83, %72, %84 : tensor<8xi1>, tensor<8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %87 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %89 = stablehlo.subtract %64, %88 : tensor<8x10xf32>
    %90 = stablehlo.exponential %89 : tensor<8x10xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %92 = stablehlo.sign %91 : tensor<8xf32>
    %93 = stablehlo.abs %91 : tensor<8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %95 = stablehlo.compare GE, %91, %94, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %96 = stablehlo.log %93 : tensor<8xf32>
    %97 = stablehlo.add %96, %85 : tensor<8xf32>
    %98 = call @_one_hot(%arg21) : (tensor<8xi32>) -> tensor<8x10xf32>
    %99 = stablehlo.multiply %64, %98 : tensor<8x10xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %101 = stablehlo.subtract %97, %100 : tensor<8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %103 = stablehlo.divide %102, %cst_32 : tensor<f32>
    %cst_33 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %104 = stablehlo.multiply %cst_33, %51 : tensor<f32>
    %105 = stablehlo.add %103, %104 : tensor<f32>
    %cst_34 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.multiply %cst_34, %cst_35 : tensor<f32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_37 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %107 = stablehlo.divide %cst_36, %cst_37 : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %109 = stablehlo.negate %108 : tensor<8xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %111 = stablehlo.multiply %110, %98 : tensor<8x10xf32>
    %112 = stablehlo.divide %108, %93 : tensor<8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %114 = stablehlo.select %95, %113, %112 : tensor<8xi1>, tensor<8xf32>
    %115 = stablehlo.select %95, %112, %113 : tensor<8xi1>, tensor<8xf32>
    %116 = stablehlo.negate %114 : tensor<8xf32>
    %117 = stablehlo.add %115, %116 : tensor<8xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %119 = stablehlo.multiply %118, %90 : tensor<8x10xf32>
    %120 = stablehlo.add %111, %119 : tensor<8x10xf32>
    %121 = stablehlo.dot_general %120, %63, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %122 = stablehlo.transpose %121, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %123 = stablehlo.dot_general %120, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %124 = stablehlo.dot_general %123, %59, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %125 = stablehlo.transpose %124, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %126 = stablehlo.dot_general %123, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %127 = stablehlo.multiply %126, %61 : tensor<8x16xf32>
    %128 = stablehlo.multiply %127, %59 : tensor<8x16xf32>
    %129 = stablehlo.add %127, %128 : tensor<8x16xf32>
    %130 = stablehlo.dot_general %129, %57, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %131 = stablehlo.transpose %130, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %132 = stablehlo.dot_general %129, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %133 = stablehlo.add %123, %132 : tensor<8x8xf32>
    %134 = stablehlo.dot_general %133, %53, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %135 = stablehlo.transpose %134, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %136 = stablehlo.dot_general %133, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %137 = stablehlo.multiply %136, %55 : tensor<8x16xf32>
    %138 = stablehlo.multiply %137, %53 : tensor<8x16xf32>
    %139 = stablehlo.add %137, %138 : tensor<8x16xf32>
    %140 = stablehlo.dot_general %139, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %141 = stablehlo.transpose %140, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %142 = stablehlo.dot_general %139, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %143 = stablehlo.add %133, %142 : tensor<8x8xf32>
    %cst_39 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %144 = stablehlo.divide %106, %cst_39 : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %146 = stablehlo.negate %145 : tensor<8xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %148 = stablehlo.multiply %147, %46 : tensor<8x10xf32>
    %149 = stablehlo.divide %145, %41 : tensor<8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %151 = stablehlo.select %43, %150, %149 : tensor<8xi1>, tensor<8xf32>
    %152 = stablehlo.select %43, %149, %150 : tensor<8xi1>, tensor<8xf32>
    %153 = stablehlo.negate %151 : tensor<8xf32>
    %154 = stablehlo.add %152, %153 : tensor<8xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %156 = stablehlo.multiply %155, %38 : tensor<8x10xf32>
    %157 = stablehlo.add %148, %156 : tensor<8x10xf32>
    %158 = stablehlo.dot_general %157, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %159 = stablehlo.transpose %158, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %160 = stablehlo.dot_general %157, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %161 = stablehlo.add %143, %160 : tensor<8x8xf32>
    %162 = stablehlo.dot_general %161, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %163 = stablehlo.transpose %162, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %164 = stablehlo.dot_general %161, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %165 = stablehlo.multiply %164, %9 : tensor<8x16xf32>
    %166 = stablehlo.multiply %165, %7 : tensor<8x16xf32>
    %167 = stablehlo.add %165, %166 : tensor<8x16xf32>
    %168 = stablehlo.dot_general %167, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %169 = stablehlo.transpose %168, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %170 = stablehlo.dot_general %167, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %171 = stablehlo.add %161, %170 : tensor<8x8xf32>
    %172 = stablehlo.dot_general %171, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %173 = stablehlo.transpose %172, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %174 = stablehlo.dot_general %171, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %175 = stablehlo.multiply %174, %3 : tensor<8x16xf32>
    %176 = stablehlo.multiply %175, %1 : tensor<8x16xf32>
    %177 = stablehlo.add %175, %176 : tensor<8x16xf32>
    %178 = stablehlo.dot_general %177, %arg20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %179 = stablehlo.transpose %178, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_41 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %181 = stablehlo.multiply %180, %arg10 : tensor<8x10xf32>
    %182 = stablehlo.add %181, %159 : tensor<8x10xf32>
    %cst_42 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %184 = stablehlo.multiply %183, %arg11 : tensor<8x10xf32>
    %185 = stablehlo.add %184, %122 : tensor<8x10xf32>
    %cst_43 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %187 = stablehlo.multiply %186, %arg12 : tensor<8x16xf32>
    %188 = stablehlo.add %187, %179 : tensor<8x16xf32>
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %190 = stablehlo.multiply %189, %arg13 : tensor<16x8xf32>
    %191 = stablehlo.add %190, %173 : tensor<16x8xf32>
    %cst_45 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %193 = stablehlo.multiply %192, %arg14 : tensor<8x16xf32>
    %194 = stablehlo.add %193, %169 : tensor<8x16xf32>
    %cst_46 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %196 = stablehlo.multiply %195, %arg15 : tensor<16x8xf32>
    %197 = stablehlo.add %196, %163 : tensor<16x8xf32>
    %cst_47 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %199 = stablehlo.multiply %198, %arg16 : tensor<8x16xf32>
    %200 = stablehlo.add %199, %141 : tensor<8x16xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %202 = stablehlo.multiply %201, %arg17 : tensor<16x8xf32>
    %203 = stablehlo.add %202, %135 : tensor<16x8xf32>
    %cst_49 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %205 = stablehlo.multiply %204, %arg18 : tensor<8x16xf32>
    %206 = stablehlo.add %205, %131 : tensor<8x16xf32>
    %cst_50 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %208 = stablehlo.multiply %207, %arg19 : tensor<16x8xf32>
    %209 = stablehlo.add %208, %125 : tensor<16x8xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %211 = stablehlo.multiply %210, %182 : tensor<8x10xf32>
    %212 = stablehlo.subtract %arg0, %211 : tensor<8x10xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %214 = stablehlo.multiply %213, %185 : tensor<8x10xf32>
    %215 = stablehlo.subtract %arg1, %214 : tensor<8x10xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %217 = stablehlo.multiply %216, %188 : tensor<8x16xf32>
    %218 = stablehlo.subtract %arg2, %217 : tensor<8x16xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %220 = stablehlo.multiply %219, %191 : tensor<16x8xf32>
    %221 = stablehlo.subtract %arg3, %220 : tensor<16x8xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %223 = stablehlo.multiply %222, %194 : tensor<8x16xf32>
    %224 = stablehlo.subtract %arg4, %223 : tensor<8x16xf32>
    %cst_56 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %226 = stablehlo.multiply %225, %197 : tensor<16x8xf32>
    %227 = stablehlo.subtract %arg5, %226 : tensor<16x8xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %229 = stablehlo.multiply %228, %200 : tensor<8x16xf32>
    %230 = stablehlo.subtract %arg6, %229 : tensor<8x16xf32>
    %cst_58 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %232 = stablehlo.multiply %231, %203 : tensor<16x8xf32>
    %233 = stablehlo.subtract %arg7, %232 : tensor<16x8xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %235 = stablehlo.multiply %234, %206 : tensor<8x16xf32>
    %236 = stablehlo.subtract %arg8, %235 : tensor<8x16xf32>
    %cst_60 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %238 = stablehlo.multiply %237, %209 : tensor<16x8xf32>
    %239 = stablehlo.subtract %arg9, %238 : tensor<16x8xf32>
    return %212, %215, %218, %221, %224, %227, %230, %233, %236, %239, %182, %185, %188, %191, %194, %197, %200, %203, %206, %209, %51, %103 : tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>, tensor<f32>
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
