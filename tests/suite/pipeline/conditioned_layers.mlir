// test: pipeline stages=2 microbatches=4
// Every layer reads by a weight of its own what one weight has made of other data, as the time of a diffusion: that crosses instead of
// what the layers make of it.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<16x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<16x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x16xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<16x16xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x16xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<16x16xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<16x16xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<16x16xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<16x16xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<16x16xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<16x16xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<32x16xf32>, %arg27: tensor<32x16xf32>, %arg28: tensor<32x16xf32>) -> (tensor<16x16xf32> {jax.result_info = "result[0]['c']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][0]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][0]['w']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][1]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][1]['w']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][2]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][2]['w']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][3]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][3]['w']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][4]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][4]['w']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][5]['g']"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][5]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['c']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][0]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][0]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][1]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][1]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][2]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][2]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][3]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][3]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][4]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][4]['w']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][5]['g']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][5]['w']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg27, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %1 = stablehlo.tanh %0 : tensor<32x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<32x16xf32>
    %4 = stablehlo.dot_general %arg26, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %5 = stablehlo.tanh %4 : tensor<32x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<32x16xf32>
    %8 = stablehlo.add %arg26, %5 : tensor<32x16xf32>
    %9 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %10 = stablehlo.tanh %9 : tensor<32x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<32x16xf32>
    %13 = stablehlo.multiply %10, %8 : tensor<32x16xf32>
    %14 = stablehlo.add %8, %13 : tensor<32x16xf32>
    %15 = stablehlo.dot_general %14, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %16 = stablehlo.tanh %15 : tensor<32x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %18 = stablehlo.subtract %17, %16 : tensor<32x16xf32>
    %19 = stablehlo.add %14, %16 : tensor<32x16xf32>
    %20 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %21 = stablehlo.tanh %20 : tensor<32x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<32x16xf32>
    %24 = stablehlo.multiply %21, %19 : tensor<32x16xf32>
    %25 = stablehlo.add %19, %24 : tensor<32x16xf32>
    %26 = stablehlo.dot_general %25, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %27 = stablehlo.tanh %26 : tensor<32x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %29 = stablehlo.subtract %28, %27 : tensor<32x16xf32>
    %30 = stablehlo.add %25, %27 : tensor<32x16xf32>
    %31 = stablehlo.dot_general %1, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %32 = stablehlo.tanh %31 : tensor<32x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %34 = stablehlo.subtract %33, %32 : tensor<32x16xf32>
    %35 = stablehlo.multiply %32, %30 : tensor<32x16xf32>
    %36 = stablehlo.add %30, %35 : tensor<32x16xf32>
    %37 = stablehlo.dot_general %36, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %38 = stablehlo.tanh %37 : tensor<32x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<32x16xf32>
    %41 = stablehlo.add %36, %38 : tensor<32x16xf32>
    %42 = stablehlo.dot_general %1, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %43 = stablehlo.tanh %42 : tensor<32x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %45 = stablehlo.subtract %44, %43 : tensor<32x16xf32>
    %46 = stablehlo.multiply %43, %41 : tensor<32x16xf32>
    %47 = stablehlo.add %41, %46 : tensor<32x16xf32>
    %48 = stablehlo.dot_general %47, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %49 = stablehlo.tanh %48 : tensor<32x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %51 = stablehlo.subtract %50, %49 : tensor<32x16xf32>
    %52 = stablehlo.add %47, %49 : tensor<32x16xf32>
    %53 = stablehlo.dot_general %1, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %54 = stablehlo.tanh %53 : tensor<32x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %56 = stablehlo.subtract %55, %54 : tensor<32x16xf32>
    %57 = stablehlo.multiply %54, %52 : tensor<32x16xf32>
    %58 = stablehlo.add %52, %57 : tensor<32x16xf32>
    %59 = stablehlo.dot_general %58, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %60 = stablehlo.tanh %59 : tensor<32x16xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %62 = stablehlo.subtract %61, %60 : tensor<32x16xf32>
    %63 = stablehlo.add %58, %60 : tensor<32x16xf32>
    %64 = stablehlo.dot_general %1, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %65 = stablehlo.tanh %64 : tensor<32x16xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %67 = stablehlo.subtract %66, %65 : tensor<32x16xf32>
    %68 = stablehlo.multiply %65, %63 : tensor<32x16xf32>
    %69 = stablehlo.add %63, %68 : tensor<32x16xf32>
    %70 = stablehlo.subtract %69, %arg28 : tensor<32x16xf32>
    %71 = stablehlo.multiply %70, %70 : tensor<32x16xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %73 = stablehlo.multiply %72, %70 : tensor<32x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%71 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %75 = stablehlo.divide %74, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %76 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %78 = stablehlo.multiply %77, %73 : tensor<32x16xf32>
    %79 = stablehlo.multiply %65, %78 : tensor<32x16xf32>
    %80 = stablehlo.add %78, %79 : tensor<32x16xf32>
    %81 = stablehlo.multiply %78, %63 : tensor<32x16xf32>
    %82 = stablehlo.multiply %81, %67 : tensor<32x16xf32>
    %83 = stablehlo.multiply %82, %65 : tensor<32x16xf32>
    %84 = stablehlo.add %82, %83 : tensor<32x16xf32>
    %85 = stablehlo.dot_general %84, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %86 = stablehlo.transpose %85, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %87 = stablehlo.dot_general %84, %arg11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %88 = stablehlo.multiply %80, %62 : tensor<32x16xf32>
    %89 = stablehlo.multiply %88, %60 : tensor<32x16xf32>
    %90 = stablehlo.add %88, %89 : tensor<32x16xf32>
    %91 = stablehlo.dot_general %90, %58, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %93 = stablehlo.dot_general %90, %arg12, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %94 = stablehlo.add %80, %93 : tensor<32x16xf32>
    %95 = stablehlo.multiply %54, %94 : tensor<32x16xf32>
    %96 = stablehlo.add %94, %95 : tensor<32x16xf32>
    %97 = stablehlo.multiply %94, %52 : tensor<32x16xf32>
    %98 = stablehlo.multiply %97, %56 : tensor<32x16xf32>
    %99 = stablehlo.multiply %98, %54 : tensor<32x16xf32>
    %100 = stablehlo.add %98, %99 : tensor<32x16xf32>
    %101 = stablehlo.dot_general %100, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %103 = stablehlo.dot_general %100, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %104 = stablehlo.add %87, %103 : tensor<32x16xf32>
    %105 = stablehlo.multiply %96, %51 : tensor<32x16xf32>
    %106 = stablehlo.multiply %105, %49 : tensor<32x16xf32>
    %107 = stablehlo.add %105, %106 : tensor<32x16xf32>
    %108 = stablehlo.dot_general %107, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %109 = stablehlo.transpose %108, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %110 = stablehlo.dot_general %107, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %111 = stablehlo.add %96, %110 : tensor<32x16xf32>
    %112 = stablehlo.multiply %43, %111 : tensor<32x16xf32>
    %113 = stablehlo.add %111, %112 : tensor<32x16xf32>
    %114 = stablehlo.multiply %111, %41 : tensor<32x16xf32>
    %115 = stablehlo.multiply %114, %45 : tensor<32x16xf32>
    %116 = stablehlo.multiply %115, %43 : tensor<32x16xf32>
    %117 = stablehlo.add %115, %116 : tensor<32x16xf32>
    %118 = stablehlo.dot_general %117, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %119 = stablehlo.transpose %118, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %120 = stablehlo.dot_general %117, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %121 = stablehlo.add %104, %120 : tensor<32x16xf32>
    %122 = stablehlo.multiply %113, %40 : tensor<32x16xf32>
    %123 = stablehlo.multiply %122, %38 : tensor<32x16xf32>
    %124 = stablehlo.add %122, %123 : tensor<32x16xf32>
    %125 = stablehlo.dot_general %124, %36, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %126 = stablehlo.transpose %125, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %127 = stablehlo.dot_general %124, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %128 = stablehlo.add %113, %127 : tensor<32x16xf32>
    %129 = stablehlo.multiply %32, %128 : tensor<32x16xf32>
    %130 = stablehlo.add %128, %129 : tensor<32x16xf32>
    %131 = stablehlo.multiply %128, %30 : tensor<32x16xf32>
    %132 = stablehlo.multiply %131, %34 : tensor<32x16xf32>
    %133 = stablehlo.multiply %132, %32 : tensor<32x16xf32>
    %134 = stablehlo.add %132, %133 : tensor<32x16xf32>
    %135 = stablehlo.dot_general %134, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %136 = stablehlo.transpose %135, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %137 = stablehlo.dot_general %134, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %138 = stablehlo.add %121, %137 : tensor<32x16xf32>
    %139 = stablehlo.multiply %130, %29 : tensor<32x16xf32>
    %140 = stablehlo.multiply %139, %27 : tensor<32x16xf32>
    %141 = stablehlo.add %139, %140 : tensor<32x16xf32>
    %142 = stablehlo.dot_general %141, %25, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %144 = stablehlo.dot_general %141, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %145 = stablehlo.add %130, %144 : tensor<32x16xf32>
    %146 = stablehlo.multiply %21, %145 : tensor<32x16xf32>
    %147 = stablehlo.add %145, %146 : tensor<32x16xf32>
    %148 = stablehlo.multiply %145, %19 : tensor<32x16xf32>
    %149 = stablehlo.multiply %148, %23 : tensor<32x16xf32>
    %150 = stablehlo.multiply %149, %21 : tensor<32x16xf32>
    %151 = stablehlo.add %149, %150 : tensor<32x16xf32>
    %152 = stablehlo.dot_general %151, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %153 = stablehlo.transpose %152, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %154 = stablehlo.dot_general %151, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %155 = stablehlo.add %138, %154 : tensor<32x16xf32>
    %156 = stablehlo.multiply %147, %18 : tensor<32x16xf32>
    %157 = stablehlo.multiply %156, %16 : tensor<32x16xf32>
    %158 = stablehlo.add %156, %157 : tensor<32x16xf32>
    %159 = stablehlo.dot_general %158, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %160 = stablehlo.transpose %159, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %161 = stablehlo.dot_general %158, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %162 = stablehlo.add %147, %161 : tensor<32x16xf32>
    %163 = stablehlo.multiply %10, %162 : tensor<32x16xf32>
    %164 = stablehlo.add %162, %163 : tensor<32x16xf32>
    %165 = stablehlo.multiply %162, %8 : tensor<32x16xf32>
    %166 = stablehlo.multiply %165, %12 : tensor<32x16xf32>
    %167 = stablehlo.multiply %166, %10 : tensor<32x16xf32>
    %168 = stablehlo.add %166, %167 : tensor<32x16xf32>
    %169 = stablehlo.dot_general %168, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %170 = stablehlo.transpose %169, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %171 = stablehlo.dot_general %168, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %172 = stablehlo.add %155, %171 : tensor<32x16xf32>
    %173 = stablehlo.multiply %164, %7 : tensor<32x16xf32>
    %174 = stablehlo.multiply %173, %5 : tensor<32x16xf32>
    %175 = stablehlo.add %173, %174 : tensor<32x16xf32>
    %176 = stablehlo.dot_general %175, %arg26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %177 = stablehlo.transpose %176, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %178 = stablehlo.multiply %172, %3 : tensor<32x16xf32>
    %179 = stablehlo.multiply %178, %1 : tensor<32x16xf32>
    %180 = stablehlo.add %178, %179 : tensor<32x16xf32>
    %181 = stablehlo.dot_general %180, %arg27, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %182 = stablehlo.transpose %181, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %cst_17 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %184 = stablehlo.multiply %183, %arg13 : tensor<16x16xf32>
    %185 = stablehlo.add %184, %182 : tensor<16x16xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %187 = stablehlo.multiply %186, %arg14 : tensor<16x16xf32>
    %188 = stablehlo.add %187, %170 : tensor<16x16xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %190 = stablehlo.multiply %189, %arg15 : tensor<16x16xf32>
    %191 = stablehlo.add %190, %177 : tensor<16x16xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %193 = stablehlo.multiply %192, %arg16 : tensor<16x16xf32>
    %194 = stablehlo.add %193, %153 : tensor<16x16xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %196 = stablehlo.multiply %195, %arg17 : tensor<16x16xf32>
    %197 = stablehlo.add %196, %160 : tensor<16x16xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %199 = stablehlo.multiply %198, %arg18 : tensor<16x16xf32>
    %200 = stablehlo.add %199, %136 : tensor<16x16xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %202 = stablehlo.multiply %201, %arg19 : tensor<16x16xf32>
    %203 = stablehlo.add %202, %143 : tensor<16x16xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %205 = stablehlo.multiply %204, %arg20 : tensor<16x16xf32>
    %206 = stablehlo.add %205, %119 : tensor<16x16xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %208 = stablehlo.multiply %207, %arg21 : tensor<16x16xf32>
    %209 = stablehlo.add %208, %126 : tensor<16x16xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %211 = stablehlo.multiply %210, %arg22 : tensor<16x16xf32>
    %212 = stablehlo.add %211, %102 : tensor<16x16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %214 = stablehlo.multiply %213, %arg23 : tensor<16x16xf32>
    %215 = stablehlo.add %214, %109 : tensor<16x16xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %217 = stablehlo.multiply %216, %arg24 : tensor<16x16xf32>
    %218 = stablehlo.add %217, %86 : tensor<16x16xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %220 = stablehlo.multiply %219, %arg25 : tensor<16x16xf32>
    %221 = stablehlo.add %220, %92 : tensor<16x16xf32>
    %cst_30 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %223 = stablehlo.multiply %222, %185 : tensor<16x16xf32>
    %224 = stablehlo.subtract %arg0, %223 : tensor<16x16xf32>
    %cst_31 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %226 = stablehlo.multiply %225, %188 : tensor<16x16xf32>
    %227 = stablehlo.subtract %arg1, %226 : tensor<16x16xf32>
    %cst_32 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %229 = stablehlo.multiply %228, %191 : tensor<16x16xf32>
    %230 = stablehlo.subtract %arg2, %229 : tensor<16x16xf32>
    %cst_33 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %232 = stablehlo.multiply %231, %194 : tensor<16x16xf32>
    %233 = stablehlo.subtract %arg3, %232 : tensor<16x16xf32>
    %cst_34 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %235 = stablehlo.multiply %234, %197 : tensor<16x16xf32>
    %236 = stablehlo.subtract %arg4, %235 : tensor<16x16xf32>
    %cst_35 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %238 = stablehlo.multiply %237, %200 : tensor<16x16xf32>
    %239 = stablehlo.subtract %arg5, %238 : tensor<16x16xf32>
    %cst_36 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %241 = stablehlo.multiply %240, %203 : tensor<16x16xf32>
    %242 = stablehlo.subtract %arg6, %241 : tensor<16x16xf32>
    %cst_37 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %244 = stablehlo.multiply %243, %206 : tensor<16x16xf32>
    %245 = stablehlo.subtract %arg7, %244 : tensor<16x16xf32>
    %cst_38 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %247 = stablehlo.multiply %246, %209 : tensor<16x16xf32>
    %248 = stablehlo.subtract %arg8, %247 : tensor<16x16xf32>
    %cst_39 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %250 = stablehlo.multiply %249, %212 : tensor<16x16xf32>
    %251 = stablehlo.subtract %arg9, %250 : tensor<16x16xf32>
    %cst_40 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %253 = stablehlo.multiply %252, %215 : tensor<16x16xf32>
    %254 = stablehlo.subtract %arg10, %253 : tensor<16x16xf32>
    %cst_41 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %256 = stablehlo.multiply %255, %218 : tensor<16x16xf32>
    %257 = stablehlo.subtract %arg11, %256 : tensor<16x16xf32>
    %cst_42 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %259 = stablehlo.multiply %258, %221 : tensor<16x16xf32>
    %260 = stablehlo.subtract %arg12, %259 : tensor<16x16xf32>
    return %224, %227, %230, %233, %236, %239, %242, %245, %248, %251, %254, %257, %260, %185, %188, %191, %194, %197, %200, %203, %206, %209, %212, %215, %218, %221, %75 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 2 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
