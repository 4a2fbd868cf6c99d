// test: pipeline stages=2 microbatches=4
// Weights are fixed, and small matrices beside them trained.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x2xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x2xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x2xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<2x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x2xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<2x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x2xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<2x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x2xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<2x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x2xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<2x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x10xf32>, %arg17: tensor<8x8xf32>, %arg18: tensor<8x8xf32>, %arg19: tensor<8x8xf32>, %arg20: tensor<8x8xf32>, %arg21: tensor<8x8xf32>, %arg22: tensor<8xi32>) -> (tensor<8x2xf32> {jax.result_info = "result[0][0]['a']"}, tensor<2x8xf32> {jax.result_info = "result[0][0]['b']"}, tensor<8x2xf32> {jax.result_info = "result[0][1]['a']"}, tensor<2x8xf32> {jax.result_info = "result[0][1]['b']"}, tensor<8x2xf32> {jax.result_info = "result[0][2]['a']"}, tensor<2x8xf32> {jax.result_info = "result[0][2]['b']"}, tensor<8x2xf32> {jax.result_info = "result[0][3]['a']"}, tensor<2x8xf32> {jax.result_info = "result[0][3]['b']"}, tensor<8x2xf32> {jax.result_info = "result[1][0]['a']"}, tensor<2x8xf32> {jax.result_info = "result[1][0]['b']"}, tensor<8x2xf32> {jax.result_info = "result[1][1]['a']"}, tensor<2x8xf32> {jax.result_info = "result[1][1]['b']"}, tensor<8x2xf32> {jax.result_info = "result[1][2]['a']"}, tensor<2x8xf32> {jax.result_info = "result[1][2]['b']"}, tensor<8x2xf32> {jax.result_info = "result[1][3]['a']"}, tensor<2x8xf32> {jax.result_info = "result[1][3]['b']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.multiply %arg21, %arg21 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<8x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.multiply %arg21, %8 : tensor<8x8xf32>
    %10 = stablehlo.dot_general %9, %arg17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.dot_general %9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %12 = stablehlo.dot_general %11, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %13 = stablehlo.add %10, %12 : tensor<8x8xf32>
    %14 = stablehlo.tanh %13 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<8x8xf32>
    %17 = stablehlo.add %arg21, %14 : tensor<8x8xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %22 = stablehlo.divide %20, %21 : tensor<8x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %24 = stablehlo.add %22, %23 : tensor<8x1xf32>
    %25 = stablehlo.rsqrt %24 : tensor<8x1xf32>
    %26 = stablehlo.divide %25, %24 : tensor<8x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<8x1xf32>
    %29 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %30 = stablehlo.multiply %17, %29 : tensor<8x8xf32>
    %31 = stablehlo.dot_general %30, %arg18, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %32 = stablehlo.dot_general %30, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %33 = stablehlo.dot_general %32, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %34 = stablehlo.add %31, %33 : tensor<8x8xf32>
    %35 = stablehlo.tanh %34 : tensor<8x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %37 = stablehlo.subtract %36, %35 : tensor<8x8xf32>
    %38 = stablehlo.add %17, %35 : tensor<8x8xf32>
    %39 = stablehlo.multiply %38, %38 : tensor<8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %43 = stablehlo.divide %41, %42 : tensor<8x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %45 = stablehlo.add %43, %44 : tensor<8x1xf32>
    %46 = stablehlo.rsqrt %45 : tensor<8x1xf32>
    %47 = stablehlo.divide %46, %45 : tensor<8x1xf32>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<8x1xf32>
    %50 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %51 = stablehlo.multiply %38, %50 : tensor<8x8xf32>
    %52 = stablehlo.dot_general %51, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %53 = stablehlo.dot_general %51, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %54 = stablehlo.dot_general %53, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %55 = stablehlo.add %52, %54 : tensor<8x8xf32>
    %56 = stablehlo.tanh %55 : tensor<8x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %58 = stablehlo.subtract %57, %56 : tensor<8x8xf32>
    %59 = stablehlo.add %38, %56 : tensor<8x8xf32>
    %60 = stablehlo.multiply %59, %59 : tensor<8x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %64 = stablehlo.divide %62, %63 : tensor<8x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %66 = stablehlo.add %64, %65 : tensor<8x1xf32>
    %67 = stablehlo.rsqrt %66 : tensor<8x1xf32>
    %68 = stablehlo.divide %67, %66 : tensor<8x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<8x1xf32>
    %71 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %72 = stablehlo.multiply %59, %71 : tensor<8x8xf32>
    %73 = stablehlo.dot_general %72, %arg20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %74 = stablehlo.dot_general %72, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %75 = stablehlo.dot_general %74, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %76 = stablehlo.add %73, %75 : tensor<8x8xf32>
    %77 = stablehlo.tanh %76 : tensor<8x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %79 = stablehlo.subtract %78, %77 : tensor<8x8xf32>
    %80 = stablehlo.add %59, %77 : tensor<8x8xf32>
    %81 = stablehlo.dot_general %80, %arg16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_18) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %83 = stablehlo.reshape %82 : (tensor<8xf32>) -> tensor<8x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %85 = stablehlo.compare EQ, %81, %84, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %86 = stablehlo.convert %85 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %89 = stablehlo.maximum %88, %82 : tensor<8xf32>
    %90 = stablehlo.compare EQ, %82, %89, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %93 = stablehlo.select %90, %91, %92 : tensor<8xi1>, tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %95 = stablehlo.compare EQ, %94, %89, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %98 = stablehlo.select %95, %96, %97 : tensor<8xi1>, tensor<8xf32>
    %99 = stablehlo.divide %93, %98 : tensor<8xf32>
    %100 = stablehlo.is_finite %89 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %102 = stablehlo.select %100, %89, %101 : tensor<8xi1>, tensor<8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %106 = stablehlo.subtract %81, %105 : tensor<8x10xf32>
    %107 = stablehlo.exponential %106 : tensor<8x10xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%107 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %109 = stablehlo.sign %108 : tensor<8xf32>
    %110 = stablehlo.abs %108 : tensor<8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %112 = stablehlo.compare GE, %108, %111, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %113 = stablehlo.log %110 : tensor<8xf32>
    %114 = stablehlo.add %113, %102 : tensor<8xf32>
    %115 = call @_one_hot(%arg22) : (tensor<8xi32>) -> tensor<8x10xf32>
    %116 = stablehlo.multiply %81, %115 : tensor<8x10xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %118 = stablehlo.subtract %114, %117 : tensor<8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %120 = stablehlo.divide %119, %cst_32 : tensor<f32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_34 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %121 = stablehlo.divide %cst_33, %cst_34 : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %123 = stablehlo.negate %122 : tensor<8xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %125 = stablehlo.multiply %124, %115 : tensor<8x10xf32>
    %126 = stablehlo.divide %122, %110 : tensor<8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %128 = stablehlo.select %112, %127, %126 : tensor<8xi1>, tensor<8xf32>
    %129 = stablehlo.select %112, %126, %127 : tensor<8xi1>, tensor<8xf32>
    %130 = stablehlo.negate %128 : tensor<8xf32>
    %131 = stablehlo.add %129, %130 : tensor<8xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %133 = stablehlo.multiply %132, %107 : tensor<8x10xf32>
    %134 = stablehlo.add %125, %133 : tensor<8x10xf32>
    %135 = stablehlo.dot_general %134, %arg16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %136 = stablehlo.multiply %135, %79 : tensor<8x8xf32>
    %137 = stablehlo.multiply %136, %77 : tensor<8x8xf32>
    %138 = stablehlo.add %136, %137 : tensor<8x8xf32>
    %139 = stablehlo.dot_general %138, %74, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %140 = stablehlo.transpose %139, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %141 = stablehlo.dot_general %138, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %142 = stablehlo.dot_general %141, %72, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %144 = stablehlo.dot_general %141, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x8xf32>
    %145 = stablehlo.dot_general %138, %arg20, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %146 = stablehlo.add %144, %145 : tensor<8x8xf32>
    %147 = stablehlo.multiply %59, %146 : tensor<8x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_36) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %149 = stablehlo.reshape %148 : (tensor<8xf32>) -> tensor<8x1xf32>
    %150 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %151 = stablehlo.multiply %146, %150 : tensor<8x8xf32>
    %152 = stablehlo.add %135, %151 : tensor<8x8xf32>
    %153 = stablehlo.multiply %149, %70 : tensor<8x1xf32>
    %cst_37 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %155 = stablehlo.divide %153, %154 : tensor<8x1xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_38) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %158 = stablehlo.multiply %59, %157 : tensor<8x8xf32>
    %159 = stablehlo.add %152, %158 : tensor<8x8xf32>
    %160 = stablehlo.multiply %157, %59 : tensor<8x8xf32>
    %161 = stablehlo.add %159, %160 : tensor<8x8xf32>
    %162 = stablehlo.multiply %161, %58 : tensor<8x8xf32>
    %163 = stablehlo.multiply %162, %56 : tensor<8x8xf32>
    %164 = stablehlo.add %162, %163 : tensor<8x8xf32>
    %165 = stablehlo.dot_general %164, %53, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %166 = stablehlo.transpose %165, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %167 = stablehlo.dot_general %164, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %168 = stablehlo.dot_general %167, %51, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %169 = stablehlo.transpose %168, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %170 = stablehlo.dot_general %167, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x8xf32>
    %171 = stablehlo.dot_general %164, %arg19, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %172 = stablehlo.add %170, %171 : tensor<8x8xf32>
    %173 = stablehlo.multiply %38, %172 : tensor<8x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %175 = stablehlo.reshape %174 : (tensor<8xf32>) -> tensor<8x1xf32>
    %176 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %177 = stablehlo.multiply %172, %176 : tensor<8x8xf32>
    %178 = stablehlo.add %161, %177 : tensor<8x8xf32>
    %179 = stablehlo.multiply %175, %49 : tensor<8x1xf32>
    %cst_40 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %181 = stablehlo.divide %179, %180 : tensor<8x1xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.reduce(%181 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %184 = stablehlo.multiply %38, %183 : tensor<8x8xf32>
    %185 = stablehlo.add %178, %184 : tensor<8x8xf32>
    %186 = stablehlo.multiply %183, %38 : tensor<8x8xf32>
    %187 = stablehlo.add %185, %186 : tensor<8x8xf32>
    %188 = stablehlo.multiply %187, %37 : tensor<8x8xf32>
    %189 = stablehlo.multiply %188, %35 : tensor<8x8xf32>
    %190 = stablehlo.add %188, %189 : tensor<8x8xf32>
    %191 = stablehlo.dot_general %190, %32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %192 = stablehlo.transpose %191, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %193 = stablehlo.dot_general %190, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %194 = stablehlo.dot_general %193, %30, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %195 = stablehlo.transpose %194, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %196 = stablehlo.dot_general %193, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x8xf32>
    %197 = stablehlo.dot_general %190, %arg18, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %198 = stablehlo.add %196, %197 : tensor<8x8xf32>
    %199 = stablehlo.multiply %17, %198 : tensor<8x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%199 init: %cst_42) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %201 = stablehlo.reshape %200 : (tensor<8xf32>) -> tensor<8x1xf32>
    %202 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %203 = stablehlo.multiply %198, %202 : tensor<8x8xf32>
    %204 = stablehlo.add %187, %203 : tensor<8x8xf32>
    %205 = stablehlo.multiply %201, %28 : tensor<8x1xf32>
    %cst_43 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %207 = stablehlo.divide %205, %206 : tensor<8x1xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_44) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %210 = stablehlo.multiply %17, %209 : tensor<8x8xf32>
    %211 = stablehlo.add %204, %210 : tensor<8x8xf32>
    %212 = stablehlo.multiply %209, %17 : tensor<8x8xf32>
    %213 = stablehlo.add %211, %212 : tensor<8x8xf32>
    %214 = stablehlo.multiply %213, %16 : tensor<8x8xf32>
    %215 = stablehlo.multiply %214, %14 : tensor<8x8xf32>
    %216 = stablehlo.add %214, %215 : tensor<8x8xf32>
    %217 = stablehlo.dot_general %216, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %218 = stablehlo.transpose %217, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %219 = stablehlo.dot_general %216, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %220 = stablehlo.dot_general %219, %9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %221 = stablehlo.transpose %220, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %cst_45 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %223 = stablehlo.multiply %222, %arg8 : tensor<8x2xf32>
    %224 = stablehlo.add %223, %221 : tensor<8x2xf32>
    %cst_46 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %226 = stablehlo.multiply %225, %arg9 : tensor<2x8xf32>
    %227 = stablehlo.add %226, %218 : tensor<2x8xf32>
    %cst_47 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %229 = stablehlo.multiply %228, %arg10 : tensor<8x2xf32>
    %230 = stablehlo.add %229, %195 : tensor<8x2xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %232 = stablehlo.multiply %231, %arg11 : tensor<2x8xf32>
    %233 = stablehlo.add %232, %192 : tensor<2x8xf32>
    %cst_49 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %235 = stablehlo.multiply %234, %arg12 : tensor<8x2xf32>
    %236 = stablehlo.add %235, %169 : tensor<8x2xf32>
    %cst_50 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %238 = stablehlo.multiply %237, %arg13 : tensor<2x8xf32>
    %239 = stablehlo.add %238, %166 : tensor<2x8xf32>
    %cst_51 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %241 = stablehlo.multiply %240, %arg14 : tensor<8x2xf32>
    %242 = stablehlo.add %241, %143 : tensor<8x2xf32>
    %cst_52 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %244 = stablehlo.multiply %243, %arg15 : tensor<2x8xf32>
    %245 = stablehlo.add %244, %140 : tensor<2x8xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %247 = stablehlo.multiply %246, %224 : tensor<8x2xf32>
    %248 = stablehlo.subtract %arg0, %247 : tensor<8x2xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %250 = stablehlo.multiply %249, %227 : tensor<2x8xf32>
    %251 = stablehlo.subtract %arg1, %250 : tensor<2x8xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %253 = stablehlo.multiply %252, %230 : tensor<8x2xf32>
    %254 = stablehlo.subtract %arg2, %253 : tensor<8x2xf32>
    %cst_56 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %256 = stablehlo.multiply %255, %233 : tensor<2x8xf32>
    %257 = stablehlo.subtract %arg3, %256 : tensor<2x8xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %259 = stablehlo.multiply %258, %236 : tensor<8x2xf32>
    %260 = stablehlo.subtract %arg4, %259 : tensor<8x2xf32>
    %cst_58 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %262 = stablehlo.multiply %261, %239 : tensor<2x8xf32>
    %263 = stablehlo.subtract %arg5, %262 : tensor<2x8xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %265 = stablehlo.multiply %264, %242 : tensor<8x2xf32>
    %266 = stablehlo.subtract %arg6, %265 : tensor<8x2xf32>
    %cst_60 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %268 = stablehlo.multiply %267, %245 : tensor<2x8xf32>
    %269 = stablehlo.subtract %arg7, %268 : tensor<2x8xf32>
    return %248, %251, %254, %257, %260, %263, %266, %269, %224, %227, %230, %233, %236, %239, %242, %245, %120 : tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<f32>
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
