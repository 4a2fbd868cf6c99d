// test: pipeline stages=2 microbatches=4 meshes=model=2;data=2,model=2
// Each layer of the second half also reads what the layer opposite to it made, as in a U-Net: what skips a stage goes on to its readers.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<16x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x10xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<16x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x16xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<16x8xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<8x16xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<16x8xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<8x16xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<16x8xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<8x16xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<16x8xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<8x16xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<16x8xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<8x16xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<16x8xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<8x8xf32>, %arg33: tensor<8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<16x8xf32> {jax.result_info = "result[0]['join'][0]"}, tensor<16x8xf32> {jax.result_info = "result[0]['join'][1]"}, tensor<16x8xf32> {jax.result_info = "result[0]['join'][2]"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][3]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][4]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][4]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][5]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][5]['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<16x8xf32> {jax.result_info = "result[1]['join'][0]"}, tensor<16x8xf32> {jax.result_info = "result[1]['join'][1]"}, tensor<16x8xf32> {jax.result_info = "result[1]['join'][2]"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][3]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][4]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][4]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][5]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][5]['out']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg32, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %1, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %arg32, %4 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %7, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.add %5, %10 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.tanh %12 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x16xf32>
    %16 = stablehlo.dot_general %13, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<8x8xf32>
    %18 = stablehlo.concatenate %17, %17, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    %19 = stablehlo.dot_general %18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %20 = stablehlo.dot_general %19, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %21 = stablehlo.tanh %20 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<8x16xf32>
    %24 = stablehlo.dot_general %21, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %25 = stablehlo.add %19, %24 : tensor<8x8xf32>
    %26 = stablehlo.concatenate %25, %11, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    %27 = stablehlo.dot_general %26, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %28 = stablehlo.dot_general %27, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %29 = stablehlo.tanh %28 : tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %31 = stablehlo.subtract %30, %29 : tensor<8x16xf32>
    %32 = stablehlo.dot_general %29, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %33 = stablehlo.add %27, %32 : tensor<8x8xf32>
    %34 = stablehlo.concatenate %33, %5, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    %35 = stablehlo.dot_general %34, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %36 = stablehlo.dot_general %35, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %37 = stablehlo.tanh %36 : tensor<8x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %39 = stablehlo.subtract %38, %37 : tensor<8x16xf32>
    %40 = stablehlo.dot_general %37, %arg15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %41 = stablehlo.add %35, %40 : tensor<8x8xf32>
    %42 = stablehlo.dot_general %41, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %44 = stablehlo.reshape %43 : (tensor<8xf32>) -> tensor<8x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %46 = stablehlo.compare EQ, %42, %45, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %47 = stablehlo.convert %46 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %50 = stablehlo.maximum %49, %43 : tensor<8xf32>
    %51 = stablehlo.compare EQ, %43, %50, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %54 = stablehlo.select %51, %52, %53 : tensor<8xi1>, tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %56 = stablehlo.compare EQ, %55, %50, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %59 = stablehlo.select %56, %57, %58 : tensor<8xi1>, tensor<8xf32>
    %60 = stablehlo.divide %54, %59 : tensor<8xf32>
    %61 = stablehlo.is_finite %50 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %63 = stablehlo.select %61, %50, %62 : tensor<8xi1>, tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %67 = stablehlo.subtract %42, %66 : tensor<8x10xf32>
    %68 = stablehlo.exponential %67 : tensor<8x10xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %70 = stablehlo.sign %69 : tensor<8xf32>
    %71 = stablehlo.abs %69 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %73 = stablehlo.compare GE, %69, %72, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %74 = stablehlo.log %71 : tensor<8xf32>
    %75 = stablehlo.add %74, %63 : tensor<8xf32>
    %76 = call @_one_hot(%arg33) : (tensor<8xi32>) -> tensor<8x10xf32>
    %77 = stablehlo.multiply %42, %76 : tensor<8x10xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %79 = stablehlo.subtract %75, %78 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %81 = stablehlo.divide %80, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_21 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %82 = stablehlo.divide %cst_20, %cst_21 : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %84 = stablehlo.negate %83 : tensor<8xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %86 = stablehlo.multiply %85, %76 : tensor<8x10xf32>
    %87 = stablehlo.divide %83, %71 : tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %89 = stablehlo.select %73, %88, %87 : tensor<8xi1>, tensor<8xf32>
    %90 = stablehlo.select %73, %87, %88 : tensor<8xi1>, tensor<8xf32>
    %91 = stablehlo.negate %89 : tensor<8xf32>
    %92 = stablehlo.add %90, %91 : tensor<8xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %94 = stablehlo.multiply %93, %68 : tensor<8x10xf32>
    %95 = stablehlo.add %86, %94 : tensor<8x10xf32>
    %96 = stablehlo.dot_general %95, %41, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %97 = stablehlo.transpose %96, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %98 = stablehlo.dot_general %95, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %99 = stablehlo.dot_general %98, %37, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %100 = stablehlo.transpose %99, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %101 = stablehlo.dot_general %98, %arg15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %102 = stablehlo.multiply %101, %39 : tensor<8x16xf32>
    %103 = stablehlo.multiply %102, %37 : tensor<8x16xf32>
    %104 = stablehlo.add %102, %103 : tensor<8x16xf32>
    %105 = stablehlo.dot_general %104, %35, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %106 = stablehlo.transpose %105, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %107 = stablehlo.dot_general %104, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %108 = stablehlo.add %98, %107 : tensor<8x8xf32>
    %109 = stablehlo.dot_general %108, %34, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %111 = stablehlo.dot_general %108, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %112 = stablehlo.slice %111 [0:8, 0:8] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %113 = stablehlo.slice %111 [0:8, 8:16] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %114 = stablehlo.dot_general %112, %29, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %115 = stablehlo.transpose %114, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %116 = stablehlo.dot_general %112, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %117 = stablehlo.multiply %116, %31 : tensor<8x16xf32>
    %118 = stablehlo.multiply %117, %29 : tensor<8x16xf32>
    %119 = stablehlo.add %117, %118 : tensor<8x16xf32>
    %120 = stablehlo.dot_general %119, %27, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %121 = stablehlo.transpose %120, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %122 = stablehlo.dot_general %119, %arg12, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %123 = stablehlo.add %112, %122 : tensor<8x8xf32>
    %124 = stablehlo.dot_general %123, %26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %125 = stablehlo.transpose %124, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %126 = stablehlo.dot_general %123, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %127 = stablehlo.slice %126 [0:8, 0:8] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %128 = stablehlo.slice %126 [0:8, 8:16] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %129 = stablehlo.dot_general %127, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %130 = stablehlo.transpose %129, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %131 = stablehlo.dot_general %127, %arg11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %132 = stablehlo.multiply %131, %23 : tensor<8x16xf32>
    %133 = stablehlo.multiply %132, %21 : tensor<8x16xf32>
    %134 = stablehlo.add %132, %133 : tensor<8x16xf32>
    %135 = stablehlo.dot_general %134, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %136 = stablehlo.transpose %135, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %137 = stablehlo.dot_general %134, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %138 = stablehlo.add %127, %137 : tensor<8x8xf32>
    %139 = stablehlo.dot_general %138, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %140 = stablehlo.transpose %139, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %141 = stablehlo.dot_general %138, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %142 = stablehlo.slice %141 [0:8, 0:8] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %143 = stablehlo.slice %141 [0:8, 8:16] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %144 = stablehlo.add %142, %143 : tensor<8x8xf32>
    %145 = stablehlo.add %128, %144 : tensor<8x8xf32>
    %146 = stablehlo.dot_general %144, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %147 = stablehlo.transpose %146, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %148 = stablehlo.dot_general %144, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %149 = stablehlo.multiply %148, %15 : tensor<8x16xf32>
    %150 = stablehlo.multiply %149, %13 : tensor<8x16xf32>
    %151 = stablehlo.add %149, %150 : tensor<8x16xf32>
    %152 = stablehlo.dot_general %151, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %153 = stablehlo.transpose %152, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %154 = stablehlo.dot_general %151, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %155 = stablehlo.add %145, %154 : tensor<8x8xf32>
    %156 = stablehlo.add %113, %155 : tensor<8x8xf32>
    %157 = stablehlo.dot_general %155, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %158 = stablehlo.transpose %157, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %159 = stablehlo.dot_general %155, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %160 = stablehlo.multiply %159, %9 : tensor<8x16xf32>
    %161 = stablehlo.multiply %160, %7 : tensor<8x16xf32>
    %162 = stablehlo.add %160, %161 : tensor<8x16xf32>
    %163 = stablehlo.dot_general %162, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %164 = stablehlo.transpose %163, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %165 = stablehlo.dot_general %162, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %166 = stablehlo.add %156, %165 : tensor<8x8xf32>
    %167 = stablehlo.dot_general %166, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %168 = stablehlo.transpose %167, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %169 = stablehlo.dot_general %166, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %170 = stablehlo.multiply %169, %3 : tensor<8x16xf32>
    %171 = stablehlo.multiply %170, %1 : tensor<8x16xf32>
    %172 = stablehlo.add %170, %171 : tensor<8x16xf32>
    %173 = stablehlo.dot_general %172, %arg32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %174 = stablehlo.transpose %173, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %176 = stablehlo.multiply %175, %arg16 : tensor<8x10xf32>
    %177 = stablehlo.add %176, %97 : tensor<8x10xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %179 = stablehlo.multiply %178, %arg17 : tensor<16x8xf32>
    %180 = stablehlo.add %179, %140 : tensor<16x8xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %182 = stablehlo.multiply %181, %arg18 : tensor<16x8xf32>
    %183 = stablehlo.add %182, %125 : tensor<16x8xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %185 = stablehlo.multiply %184, %arg19 : tensor<16x8xf32>
    %186 = stablehlo.add %185, %110 : tensor<16x8xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %188 = stablehlo.multiply %187, %arg20 : tensor<8x16xf32>
    %189 = stablehlo.add %188, %174 : tensor<8x16xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %191 = stablehlo.multiply %190, %arg21 : tensor<16x8xf32>
    %192 = stablehlo.add %191, %168 : tensor<16x8xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %194 = stablehlo.multiply %193, %arg22 : tensor<8x16xf32>
    %195 = stablehlo.add %194, %164 : tensor<8x16xf32>
    %cst_30 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %197 = stablehlo.multiply %196, %arg23 : tensor<16x8xf32>
    %198 = stablehlo.add %197, %158 : tensor<16x8xf32>
    %cst_31 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %200 = stablehlo.multiply %199, %arg24 : tensor<8x16xf32>
    %201 = stablehlo.add %200, %153 : tensor<8x16xf32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %203 = stablehlo.multiply %202, %arg25 : tensor<16x8xf32>
    %204 = stablehlo.add %203, %147 : tensor<16x8xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %206 = stablehlo.multiply %205, %arg26 : tensor<8x16xf32>
    %207 = stablehlo.add %206, %136 : tensor<8x16xf32>
    %cst_34 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %209 = stablehlo.multiply %208, %arg27 : tensor<16x8xf32>
    %210 = stablehlo.add %209, %130 : tensor<16x8xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %212 = stablehlo.multiply %211, %arg28 : tensor<8x16xf32>
    %213 = stablehlo.add %212, %121 : tensor<8x16xf32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %215 = stablehlo.multiply %214, %arg29 : tensor<16x8xf32>
    %216 = stablehlo.add %215, %115 : tensor<16x8xf32>
    %cst_37 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %218 = stablehlo.multiply %217, %arg30 : tensor<8x16xf32>
    %219 = stablehlo.add %218, %106 : tensor<8x16xf32>
    %cst_38 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %221 = stablehlo.multiply %220, %arg31 : tensor<16x8xf32>
    %222 = stablehlo.add %221, %100 : tensor<16x8xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %224 = stablehlo.multiply %223, %177 : tensor<8x10xf32>
    %225 = stablehlo.subtract %arg0, %224 : tensor<8x10xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %227 = stablehlo.multiply %226, %180 : tensor<16x8xf32>
    %228 = stablehlo.subtract %arg1, %227 : tensor<16x8xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %230 = stablehlo.multiply %229, %183 : tensor<16x8xf32>
    %231 = stablehlo.subtract %arg2, %230 : tensor<16x8xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %233 = stablehlo.multiply %232, %186 : tensor<16x8xf32>
    %234 = stablehlo.subtract %arg3, %233 : tensor<16x8xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %236 = stablehlo.multiply %235, %189 : tensor<8x16xf32>
    %237 = stablehlo.subtract %arg4, %236 : tensor<8x16xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %239 = stablehlo.multiply %238, %192 : tensor<16x8xf32>
    %240 = stablehlo.subtract %arg5, %239 : tensor<16x8xf32>
    %cst_45 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %242 = stablehlo.multiply %241, %195 : tensor<8x16xf32>
    %243 = stablehlo.subtract %arg6, %242 : tensor<8x16xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %245 = stablehlo.multiply %244, %198 : tensor<16x8xf32>
    %246 = stablehlo.subtract %arg7, %245 : tensor<16x8xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %248 = stablehlo.multiply %247, %201 : tensor<8x16xf32>
    %249 = stablehlo.subtract %arg8, %248 : tensor<8x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %251 = stablehlo.multiply %250, %204 : tensor<16x8xf32>
    %252 = stablehlo.subtract %arg9, %251 : tensor<16x8xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %254 = stablehlo.multiply %253, %207 : tensor<8x16xf32>
    %255 = stablehlo.subtract %arg10, %254 : tensor<8x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %257 = stablehlo.multiply %256, %210 : tensor<16x8xf32>
    %258 = stablehlo.subtract %arg11, %257 : tensor<16x8xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %260 = stablehlo.multiply %259, %213 : tensor<8x16xf32>
    %261 = stablehlo.subtract %arg12, %260 : tensor<8x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %263 = stablehlo.multiply %262, %216 : tensor<16x8xf32>
    %264 = stablehlo.subtract %arg13, %263 : tensor<16x8xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %266 = stablehlo.multiply %265, %219 : tensor<8x16xf32>
    %267 = stablehlo.subtract %arg14, %266 : tensor<8x16xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %269 = stablehlo.multiply %268, %222 : tensor<16x8xf32>
    %270 = stablehlo.subtract %arg15, %269 : tensor<16x8xf32>
    return %225, %228, %231, %234, %237, %240, %243, %246, %249, %252, %255, %258, %261, %264, %267, %270, %177, %180, %183, %186, %189, %192, %195, %198, %201, %204, %207, %210, %213, %216, %219, %222, %81 : tensor<8x10xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>
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
// 0 -> 1: 2 up, 3 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// groups with meshes of their own:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe-v agree
// dualpipe, chimera: groups 0 and 1 have copies of the same stages, whose gradients are added up, but meshes of their own
