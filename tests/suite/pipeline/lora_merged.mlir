// test: pipeline stages=2 microbatches=4
// Small matrices are added to fixed weights before these are used, and the table of tokens, longer than the batch, is fixed too.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x2xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x2xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x2xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<2x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<10x8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<8x8xf32>, %arg11: tensor<8x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8xi32>, %arg14: tensor<8xi32>) -> (tensor<8x2xf32> {jax.result_info = "result[0][0][0]"}, tensor<2x8xf32> {jax.result_info = "result[0][0][1]"}, tensor<8x2xf32> {jax.result_info = "result[0][1][0]"}, tensor<2x8xf32> {jax.result_info = "result[0][1][1]"}, tensor<8x2xf32> {jax.result_info = "result[0][2][0]"}, tensor<2x8xf32> {jax.result_info = "result[0][2][1]"}, tensor<8x2xf32> {jax.result_info = "result[0][3][0]"}, tensor<2x8xf32> {jax.result_info = "result[0][3][1]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1 = stablehlo.compare LT, %arg13, %0, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %3 = stablehlo.add %arg13, %2 : tensor<8xi32>
    %4 = stablehlo.select %1, %3, %arg13 : tensor<8xi1>, tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %6 = "stablehlo.gather"(%arg8, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %7 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.add %arg9, %7 : tensor<8x8xf32>
    %9 = stablehlo.dot_general %6, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.tanh %9 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<8x8xf32>
    %13 = stablehlo.add %6, %10 : tensor<8x8xf32>
    %14 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.add %arg10, %14 : tensor<8x8xf32>
    %16 = stablehlo.dot_general %13, %15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.tanh %16 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %19 = stablehlo.subtract %18, %17 : tensor<8x8xf32>
    %20 = stablehlo.add %13, %17 : tensor<8x8xf32>
    %21 = stablehlo.dot_general %arg4, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %22 = stablehlo.add %arg11, %21 : tensor<8x8xf32>
    %23 = stablehlo.dot_general %20, %22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %24 = stablehlo.tanh %23 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<8x8xf32>
    %27 = stablehlo.add %20, %24 : tensor<8x8xf32>
    %28 = stablehlo.dot_general %arg6, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %29 = stablehlo.add %arg12, %28 : tensor<8x8xf32>
    %30 = stablehlo.dot_general %27, %29, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %31 = stablehlo.tanh %30 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %33 = stablehlo.subtract %32, %31 : tensor<8x8xf32>
    %34 = stablehlo.add %27, %31 : tensor<8x8xf32>
    %35 = stablehlo.transpose %arg8, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %36 = stablehlo.dot_general %34, %35, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.reshape %37 : (tensor<8xf32>) -> tensor<8x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %40 = stablehlo.compare EQ, %36, %39, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %41 = stablehlo.convert %40 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %44 = stablehlo.maximum %43, %37 : tensor<8xf32>
    %45 = stablehlo.compare EQ, %37, %44, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.select %45, %46, %47 : tensor<8xi1>, tensor<8xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %50 = stablehlo.compare EQ, %49, %44, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %53 = stablehlo.select %50, %51, %52 : tensor<8xi1>, tensor<8xf32>
    %54 = stablehlo.divide %48, %53 : tensor<8xf32>
    %55 = stablehlo.is_finite %44 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %57 = stablehlo.select %55, %44, %56 : tensor<8xi1>, tensor<8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %59 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %61 = stablehlo.subtract %36, %60 : tensor<8x10xf32>
    %62 = stablehlo.exponential %61 : tensor<8x10xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %64 = stablehlo.sign %63 : tensor<8xf32>
    %65 = stablehlo.abs %63 : tensor<8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %67 = stablehlo.compare GE, %63, %66, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %68 = stablehlo.log %65 : tensor<8xf32>
    %69 = stablehlo.add %68, %57 : tensor<8xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %71 = stablehlo.compare LT, %arg14, %70, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_17 = stablehlo.constant dense<10> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %73 = stablehlo.add %arg14, %72 : tensor<8xi32>
    %74 = stablehlo.select %71, %73, %arg14 : tensor<8xi1>, tensor<8xi32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %76 = "stablehlo.gather"(%arg8, %75) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %77 = stablehlo.multiply %34, %76 : tensor<8x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %79 = stablehlo.subtract %69, %78 : tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_19) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_20 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %81 = stablehlo.divide %80, %cst_20 : tensor<f32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_22 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %82 = stablehlo.divide %cst_21, %cst_22 : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %84 = stablehlo.negate %83 : tensor<8xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %86 = stablehlo.multiply %85, %76 : tensor<8x8xf32>
    %87 = stablehlo.divide %83, %65 : tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %89 = stablehlo.select %67, %88, %87 : tensor<8xi1>, tensor<8xf32>
    %90 = stablehlo.select %67, %87, %88 : tensor<8xi1>, tensor<8xf32>
    %91 = stablehlo.negate %89 : tensor<8xf32>
    %92 = stablehlo.add %90, %91 : tensor<8xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %94 = stablehlo.multiply %93, %62 : tensor<8x10xf32>
    %95 = stablehlo.dot_general %94, %35, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %96 = stablehlo.add %86, %95 : tensor<8x8xf32>
    %97 = stablehlo.multiply %96, %33 : tensor<8x8xf32>
    %98 = stablehlo.multiply %97, %31 : tensor<8x8xf32>
    %99 = stablehlo.add %97, %98 : tensor<8x8xf32>
    %100 = stablehlo.dot_general %99, %27, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %102 = stablehlo.dot_general %99, %29, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %103 = stablehlo.add %96, %102 : tensor<8x8xf32>
    %104 = stablehlo.dot_general %101, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %105 = stablehlo.transpose %104, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %106 = stablehlo.dot_general %101, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %107 = stablehlo.multiply %103, %26 : tensor<8x8xf32>
    %108 = stablehlo.multiply %107, %24 : tensor<8x8xf32>
    %109 = stablehlo.add %107, %108 : tensor<8x8xf32>
    %110 = stablehlo.dot_general %109, %20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %111 = stablehlo.transpose %110, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %112 = stablehlo.dot_general %109, %22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %113 = stablehlo.add %103, %112 : tensor<8x8xf32>
    %114 = stablehlo.dot_general %111, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %115 = stablehlo.transpose %114, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %116 = stablehlo.dot_general %111, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %117 = stablehlo.multiply %113, %19 : tensor<8x8xf32>
    %118 = stablehlo.multiply %117, %17 : tensor<8x8xf32>
    %119 = stablehlo.add %117, %118 : tensor<8x8xf32>
    %120 = stablehlo.dot_general %119, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %121 = stablehlo.transpose %120, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %122 = stablehlo.dot_general %119, %15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %123 = stablehlo.add %113, %122 : tensor<8x8xf32>
    %124 = stablehlo.dot_general %121, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %125 = stablehlo.transpose %124, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %126 = stablehlo.dot_general %121, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %127 = stablehlo.multiply %123, %12 : tensor<8x8xf32>
    %128 = stablehlo.multiply %127, %10 : tensor<8x8xf32>
    %129 = stablehlo.add %127, %128 : tensor<8x8xf32>
    %130 = stablehlo.dot_general %129, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %131 = stablehlo.transpose %130, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %132 = stablehlo.dot_general %131, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %133 = stablehlo.transpose %132, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %134 = stablehlo.dot_general %131, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %136 = stablehlo.multiply %135, %134 : tensor<8x2xf32>
    %137 = stablehlo.subtract %arg0, %136 : tensor<8x2xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %139 = stablehlo.multiply %138, %133 : tensor<2x8xf32>
    %140 = stablehlo.subtract %arg1, %139 : tensor<2x8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %142 = stablehlo.multiply %141, %126 : tensor<8x2xf32>
    %143 = stablehlo.subtract %arg2, %142 : tensor<8x2xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %145 = stablehlo.multiply %144, %125 : tensor<2x8xf32>
    %146 = stablehlo.subtract %arg3, %145 : tensor<2x8xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %148 = stablehlo.multiply %147, %116 : tensor<8x2xf32>
    %149 = stablehlo.subtract %arg4, %148 : tensor<8x2xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %151 = stablehlo.multiply %150, %115 : tensor<2x8xf32>
    %152 = stablehlo.subtract %arg5, %151 : tensor<2x8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %154 = stablehlo.multiply %153, %106 : tensor<8x2xf32>
    %155 = stablehlo.subtract %arg6, %154 : tensor<8x2xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %157 = stablehlo.multiply %156, %105 : tensor<2x8xf32>
    %158 = stablehlo.subtract %arg7, %157 : tensor<2x8xf32>
    return %137, %140, %143, %146, %149, %152, %155, %158, %81 : tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
