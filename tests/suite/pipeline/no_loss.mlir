// test: pipeline stages=4 microbatches=8 meshes=data=2;model=2;data=3;model=2
// The step does not return its loss.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8x10xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<16x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x8xf32>, %arg19: tensor<8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][3]['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][3]['out']"}) {
    %0 = stablehlo.dot_general %arg18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %arg18, %4 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %7, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.add %5, %10 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.tanh %12 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x16xf32>
    %16 = stablehlo.dot_general %13, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<8x8xf32>
    %18 = stablehlo.dot_general %17, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %19 = stablehlo.tanh %18 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %21 = stablehlo.subtract %20, %19 : tensor<8x16xf32>
    %22 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %23 = stablehlo.add %17, %22 : tensor<8x8xf32>
    %24 = stablehlo.dot_general %23, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.reshape %25 : (tensor<8xf32>) -> tensor<8x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %28 = stablehlo.compare EQ, %24, %27, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %29 = stablehlo.convert %28 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.maximum %31, %25 : tensor<8xf32>
    %33 = stablehlo.compare EQ, %25, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.select %33, %34, %35 : tensor<8xi1>, tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.compare EQ, %37, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.select %38, %39, %40 : tensor<8xi1>, tensor<8xf32>
    %42 = stablehlo.divide %36, %41 : tensor<8xf32>
    %43 = stablehlo.is_finite %32 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.select %43, %32, %44 : tensor<8xi1>, tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %49 = stablehlo.subtract %24, %48 : tensor<8x10xf32>
    %50 = stablehlo.exponential %49 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.sign %51 : tensor<8xf32>
    %53 = stablehlo.abs %51 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.compare GE, %51, %54, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %56 = stablehlo.log %53 : tensor<8xf32>
    %57 = stablehlo.add %56, %45 : tensor<8xf32>
    %58 = call @_one_hot(%arg19) : (tensor<8xi32>) -> tensor<8x10xf32>
    %59 = stablehlo.multiply %24, %58 : tensor<8x10xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.subtract %57, %60 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %63 = stablehlo.divide %62, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %64 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.negate %65 : tensor<8xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %68 = stablehlo.multiply %67, %58 : tensor<8x10xf32>
    %69 = stablehlo.divide %65, %53 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %71 = stablehlo.select %55, %70, %69 : tensor<8xi1>, tensor<8xf32>
    %72 = stablehlo.select %55, %69, %70 : tensor<8xi1>, tensor<8xf32>
    %73 = stablehlo.negate %71 : tensor<8xf32>
    %74 = stablehlo.add %72, %73 : tensor<8xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %76 = stablehlo.multiply %75, %50 : tensor<8x10xf32>
    %77 = stablehlo.add %68, %76 : tensor<8x10xf32>
    %78 = stablehlo.dot_general %77, %23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %80 = stablehlo.dot_general %77, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %81 = stablehlo.dot_general %80, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %82 = stablehlo.transpose %81, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %83 = stablehlo.dot_general %80, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %84 = stablehlo.multiply %83, %21 : tensor<8x16xf32>
    %85 = stablehlo.multiply %84, %19 : tensor<8x16xf32>
    %86 = stablehlo.add %84, %85 : tensor<8x16xf32>
    %87 = stablehlo.dot_general %86, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %89 = stablehlo.dot_general %86, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %90 = stablehlo.add %80, %89 : tensor<8x8xf32>
    %91 = stablehlo.dot_general %90, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %93 = stablehlo.dot_general %90, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %94 = stablehlo.multiply %93, %15 : tensor<8x16xf32>
    %95 = stablehlo.multiply %94, %13 : tensor<8x16xf32>
    %96 = stablehlo.add %94, %95 : tensor<8x16xf32>
    %97 = stablehlo.dot_general %96, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %98 = stablehlo.transpose %97, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %99 = stablehlo.dot_general %96, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %100 = stablehlo.add %90, %99 : tensor<8x8xf32>
    %101 = stablehlo.dot_general %100, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %103 = stablehlo.dot_general %100, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %104 = stablehlo.multiply %103, %9 : tensor<8x16xf32>
    %105 = stablehlo.multiply %104, %7 : tensor<8x16xf32>
    %106 = stablehlo.add %104, %105 : tensor<8x16xf32>
    %107 = stablehlo.dot_general %106, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %108 = stablehlo.transpose %107, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %109 = stablehlo.dot_general %106, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %110 = stablehlo.add %100, %109 : tensor<8x8xf32>
    %111 = stablehlo.dot_general %110, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %113 = stablehlo.dot_general %110, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %114 = stablehlo.multiply %113, %3 : tensor<8x16xf32>
    %115 = stablehlo.multiply %114, %1 : tensor<8x16xf32>
    %116 = stablehlo.add %114, %115 : tensor<8x16xf32>
    %117 = stablehlo.dot_general %116, %arg18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %120 = stablehlo.multiply %119, %arg9 : tensor<8x10xf32>
    %121 = stablehlo.add %120, %79 : tensor<8x10xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %123 = stablehlo.multiply %122, %arg10 : tensor<8x16xf32>
    %124 = stablehlo.add %123, %118 : tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %126 = stablehlo.multiply %125, %arg11 : tensor<16x8xf32>
    %127 = stablehlo.add %126, %112 : tensor<16x8xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %129 = stablehlo.multiply %128, %arg12 : tensor<8x16xf32>
    %130 = stablehlo.add %129, %108 : tensor<8x16xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %132 = stablehlo.multiply %131, %arg13 : tensor<16x8xf32>
    %133 = stablehlo.add %132, %102 : tensor<16x8xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %135 = stablehlo.multiply %134, %arg14 : tensor<8x16xf32>
    %136 = stablehlo.add %135, %98 : tensor<8x16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %138 = stablehlo.multiply %137, %arg15 : tensor<16x8xf32>
    %139 = stablehlo.add %138, %92 : tensor<16x8xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %141 = stablehlo.multiply %140, %arg16 : tensor<8x16xf32>
    %142 = stablehlo.add %141, %88 : tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %144 = stablehlo.multiply %143, %arg17 : tensor<16x8xf32>
    %145 = stablehlo.add %144, %82 : tensor<16x8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %147 = stablehlo.multiply %146, %121 : tensor<8x10xf32>
    %148 = stablehlo.subtract %arg0, %147 : tensor<8x10xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %150 = stablehlo.multiply %149, %124 : tensor<8x16xf32>
    %151 = stablehlo.subtract %arg1, %150 : tensor<8x16xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %153 = stablehlo.multiply %152, %127 : tensor<16x8xf32>
    %154 = stablehlo.subtract %arg2, %153 : tensor<16x8xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %156 = stablehlo.multiply %155, %130 : tensor<8x16xf32>
    %157 = stablehlo.subtract %arg3, %156 : tensor<8x16xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %159 = stablehlo.multiply %158, %133 : tensor<16x8xf32>
    %160 = stablehlo.subtract %arg4, %159 : tensor<16x8xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %162 = stablehlo.multiply %161, %136 : tensor<8x16xf32>
    %163 = stablehlo.subtract %arg5, %162 : tensor<8x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %165 = stablehlo.multiply %164, %139 : tensor<16x8xf32>
    %166 = stablehlo.subtract %arg6, %165 : tensor<16x8xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %168 = stablehlo.multiply %167, %142 : tensor<8x16xf32>
    %169 = stablehlo.subtract %arg7, %168 : tensor<8x16xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %171 = stablehlo.multiply %170, %145 : tensor<16x8xf32>
    %172 = stablehlo.subtract %arg8, %171 : tensor<16x8xf32>
    return %148, %151, %154, %157, %160, %163, %166, %169, %172, %121, %124, %127, %130, %133, %136, %139, %142, %145 : tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>
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
// 1 -> 2: 1 up, 1 down
// 2 -> 3: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, zb-h1, zb-h2, dualpipe, chimera agree
// interleaved-1f1b, looped-bfs, zb-v, v-half, v-min, interleaved-zb, dualpipe-v: line 9: the program cannot be cut into 8 stages: there are 5 places where as little as 256 bytes of the batch cross; of the others, here 512 bytes do
// groups with meshes of their own:
// 0 -> 1: 1 up, 1 down
// 1 -> 2: 1 up, 1 down
// 2 -> 3: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, zb-h1, zb-h2 agree
// dualpipe, chimera: groups 0 and 3 have copies of the same stages, whose gradients are added up, but meshes of their own
// interleaved-1f1b, looped-bfs, zb-v, v-half, v-min, interleaved-zb, dualpipe-v: line 9: the program cannot be cut into 8 stages: there are 5 places where as little as 256 bytes of the batch cross; of the others, here 512 bytes do
