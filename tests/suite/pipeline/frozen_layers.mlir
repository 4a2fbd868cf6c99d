// test: pipeline stages=2 microbatches=4
// The first half of the layers is not trained.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x10xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x16xf32>, %arg11: tensor<16x8xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16x8xf32>, %arg14: tensor<8x8xf32>, %arg15: tensor<8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg14, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %2 = stablehlo.dot_general %1, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.add %arg14, %2 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %5 = stablehlo.tanh %4 : tensor<8x16xf32>
    %6 = stablehlo.dot_general %5, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %7 = stablehlo.add %3, %6 : tensor<8x8xf32>
    %8 = stablehlo.dot_general %7, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %9 = stablehlo.tanh %8 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %11 = stablehlo.subtract %10, %9 : tensor<8x16xf32>
    %12 = stablehlo.dot_general %9, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %13 = stablehlo.add %7, %12 : tensor<8x8xf32>
    %14 = stablehlo.dot_general %13, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %15 = stablehlo.tanh %14 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %17 = stablehlo.subtract %16, %15 : tensor<8x16xf32>
    %18 = stablehlo.dot_general %15, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %19 = stablehlo.add %13, %18 : tensor<8x8xf32>
    %20 = stablehlo.dot_general %19, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.reshape %21 : (tensor<8xf32>) -> tensor<8x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %24 = stablehlo.compare EQ, %20, %23, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %25 = stablehlo.convert %24 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %28 = stablehlo.maximum %27, %21 : tensor<8xf32>
    %29 = stablehlo.compare EQ, %21, %28, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.select %29, %30, %31 : tensor<8xi1>, tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %34 = stablehlo.compare EQ, %33, %28, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.select %34, %35, %36 : tensor<8xi1>, tensor<8xf32>
    %38 = stablehlo.divide %32, %37 : tensor<8xf32>
    %39 = stablehlo.is_finite %28 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.select %39, %28, %40 : tensor<8xi1>, tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %45 = stablehlo.subtract %20, %44 : tensor<8x10xf32>
    %46 = stablehlo.exponential %45 : tensor<8x10xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.sign %47 : tensor<8xf32>
    %49 = stablehlo.abs %47 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %51 = stablehlo.compare GE, %47, %50, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %52 = stablehlo.log %49 : tensor<8xf32>
    %53 = stablehlo.add %52, %41 : tensor<8xf32>
    %54 = call @_one_hot(%arg15) : (tensor<8xi32>) -> tensor<8x10xf32>
    %55 = stablehlo.multiply %20, %54 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %57 = stablehlo.subtract %53, %56 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %59 = stablehlo.divide %58, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %60 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %62 = stablehlo.negate %61 : tensor<8xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %64 = stablehlo.multiply %63, %54 : tensor<8x10xf32>
    %65 = stablehlo.divide %61, %49 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %67 = stablehlo.select %51, %66, %65 : tensor<8xi1>, tensor<8xf32>
    %68 = stablehlo.select %51, %65, %66 : tensor<8xi1>, tensor<8xf32>
    %69 = stablehlo.negate %67 : tensor<8xf32>
    %70 = stablehlo.add %68, %69 : tensor<8xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %72 = stablehlo.multiply %71, %46 : tensor<8x10xf32>
    %73 = stablehlo.add %64, %72 : tensor<8x10xf32>
    %74 = stablehlo.dot_general %73, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %76 = stablehlo.dot_general %73, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %77 = stablehlo.dot_general %76, %15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %78 = stablehlo.transpose %77, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %79 = stablehlo.dot_general %76, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %80 = stablehlo.multiply %79, %17 : tensor<8x16xf32>
    %81 = stablehlo.multiply %80, %15 : tensor<8x16xf32>
    %82 = stablehlo.add %80, %81 : tensor<8x16xf32>
    %83 = stablehlo.dot_general %82, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %85 = stablehlo.dot_general %82, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %86 = stablehlo.add %76, %85 : tensor<8x8xf32>
    %87 = stablehlo.dot_general %86, %9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %89 = stablehlo.dot_general %86, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %90 = stablehlo.multiply %89, %11 : tensor<8x16xf32>
    %91 = stablehlo.multiply %90, %9 : tensor<8x16xf32>
    %92 = stablehlo.add %90, %91 : tensor<8x16xf32>
    %93 = stablehlo.dot_general %92, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %94 = stablehlo.transpose %93, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %96 = stablehlo.multiply %95, %arg5 : tensor<8x10xf32>
    %97 = stablehlo.add %96, %75 : tensor<8x10xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %99 = stablehlo.multiply %98, %arg6 : tensor<8x16xf32>
    %100 = stablehlo.add %99, %94 : tensor<8x16xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %102 = stablehlo.multiply %101, %arg7 : tensor<16x8xf32>
    %103 = stablehlo.add %102, %88 : tensor<16x8xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %105 = stablehlo.multiply %104, %arg8 : tensor<8x16xf32>
    %106 = stablehlo.add %105, %84 : tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %108 = stablehlo.multiply %107, %arg9 : tensor<16x8xf32>
    %109 = stablehlo.add %108, %78 : tensor<16x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %111 = stablehlo.multiply %110, %97 : tensor<8x10xf32>
    %112 = stablehlo.subtract %arg0, %111 : tensor<8x10xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %114 = stablehlo.multiply %113, %100 : tensor<8x16xf32>
    %115 = stablehlo.subtract %arg1, %114 : tensor<8x16xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %117 = stablehlo.multiply %116, %103 : tensor<16x8xf32>
    %118 = stablehlo.subtract %arg2, %117 : tensor<16x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %120 = stablehlo.multiply %119, %106 : tensor<8x16xf32>
    %121 = stablehlo.subtract %arg3, %120 : tensor<8x16xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %123 = stablehlo.multiply %122, %109 : tensor<16x8xf32>
    %124 = stablehlo.subtract %arg4, %123 : tensor<16x8xf32>
    return %112, %115, %118, %121, %124, %97, %100, %103, %106, %109, %59 : tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>
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
