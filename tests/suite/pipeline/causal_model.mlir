// test: pipeline stages=2 microbatches=4 data=2 slices=2,4
// A causal model with grouped heads, whose loss is that of the tokens behind, is cut along its sequence too.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x1x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x2x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x1x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x12xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<12x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x1x4xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x2x4xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x1x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x12xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<12x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8x1x4xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<8x2x4xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x1x4xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<8x12xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<12x8xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<8x1x4xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<8x8xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<8x2x4xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<8x1x4xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<8x12xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<12x8xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<8x8xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<4x9xi32>) -> (tensor<16x8xf32> {jax.result_info = "result[0]['emb']"}, tensor<8x16xf32> {jax.result_info = "result[0]['head']"}, tensor<8x1x4xf32> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][0]['q']"}, tensor<8x1x4xf32> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<8x12xf32> {jax.result_info = "result[0]['layers'][0]['w1']"}, tensor<12x8xf32> {jax.result_info = "result[0]['layers'][0]['w2']"}, tensor<8x1x4xf32> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][1]['q']"}, tensor<8x1x4xf32> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<8x12xf32> {jax.result_info = "result[0]['layers'][1]['w1']"}, tensor<12x8xf32> {jax.result_info = "result[0]['layers'][1]['w2']"}, tensor<8x8xf32> {jax.result_info = "result[0]['pos']"}, tensor<16x8xf32> {jax.result_info = "result[1]['emb']"}, tensor<8x16xf32> {jax.result_info = "result[1]['head']"}, tensor<8x1x4xf32> {jax.result_info = "result[1]['layers'][0]['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][0]['o']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][0]['q']"}, tensor<8x1x4xf32> {jax.result_info = "result[1]['layers'][0]['v']"}, tensor<8x12xf32> {jax.result_info = "result[1]['layers'][0]['w1']"}, tensor<12x8xf32> {jax.result_info = "result[1]['layers'][0]['w2']"}, tensor<8x1x4xf32> {jax.result_info = "result[1]['layers'][1]['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][1]['o']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][1]['q']"}, tensor<8x1x4xf32> {jax.result_info = "result[1]['layers'][1]['v']"}, tensor<8x12xf32> {jax.result_info = "result[1]['layers'][1]['w1']"}, tensor<12x8xf32> {jax.result_info = "result[1]['layers'][1]['w2']"}, tensor<8x8xf32> {jax.result_info = "result[1]['pos']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.slice %arg30 [0:4, 0:8] : (tensor<4x9xi32>) -> tensor<4x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %4 = stablehlo.add %0, %3 : tensor<4x8xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<4x8xi1>, tensor<4x8xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x8x1xi32>) -> tensor<4x8x8xf32>
    %8 = stablehlo.broadcast_in_dim %arg14, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x8x8xf32>) -> tensor<4x8x8xf32>
    %10 = stablehlo.add %7, %9 : tensor<4x8x8xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<4x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %17 = stablehlo.add %15, %16 : tensor<4x8x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<4x8x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<4x8x1xf32>
    %22 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %23 = stablehlo.multiply %10, %22 : tensor<4x8x8xf32>
    %24 = stablehlo.dot_general %23, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %25 = stablehlo.iota dim = 0 : tensor<8xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %27 = stablehlo.iota dim = 0 : tensor<2xi32>
    %28 = stablehlo.negate %27 : tensor<2xi32>
    %29 = stablehlo.convert %28 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %31 = stablehlo.divide %29, %30 : tensor<2xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %33 = stablehlo.power %32, %31 : tensor<2xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %35 = stablehlo.convert %26 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %37 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<8x2xf32>
    %39 = stablehlo.cosine %38 : tensor<8x2xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %41 = stablehlo.sine %38 : tensor<8x2xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %43 = stablehlo.slice %24 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %44 = stablehlo.slice %24 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %45 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %46 = stablehlo.multiply %43, %45 : tensor<4x8x2x2xf32>
    %47 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %48 = stablehlo.multiply %44, %47 : tensor<4x8x2x2xf32>
    %49 = stablehlo.subtract %46, %48 : tensor<4x8x2x2xf32>
    %50 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %51 = stablehlo.multiply %43, %50 : tensor<4x8x2x2xf32>
    %52 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %53 = stablehlo.multiply %44, %52 : tensor<4x8x2x2xf32>
    %54 = stablehlo.add %51, %53 : tensor<4x8x2x2xf32>
    %55 = stablehlo.concatenate %49, %54, dim = 3 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x4xf32>
    %56 = stablehlo.dot_general %23, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x1x4xf32>) -> tensor<4x8x1x4xf32>
    %57 = stablehlo.iota dim = 0 : tensor<8xi32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %59 = stablehlo.iota dim = 0 : tensor<2xi32>
    %60 = stablehlo.negate %59 : tensor<2xi32>
    %61 = stablehlo.convert %60 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %63 = stablehlo.divide %61, %62 : tensor<2xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %65 = stablehlo.power %64, %63 : tensor<2xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %67 = stablehlo.convert %58 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %69 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %70 = stablehlo.multiply %68, %69 : tensor<8x2xf32>
    %71 = stablehlo.cosine %70 : tensor<8x2xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %73 = stablehlo.sine %70 : tensor<8x2xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %75 = stablehlo.slice %56 [0:4, 0:8, 0:1, 0:2] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %76 = stablehlo.slice %56 [0:4, 0:8, 0:1, 2:4] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %77 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %78 = stablehlo.multiply %75, %77 : tensor<4x8x1x2xf32>
    %79 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %80 = stablehlo.multiply %76, %79 : tensor<4x8x1x2xf32>
    %81 = stablehlo.subtract %78, %80 : tensor<4x8x1x2xf32>
    %82 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %83 = stablehlo.multiply %75, %82 : tensor<4x8x1x2xf32>
    %84 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %85 = stablehlo.multiply %76, %84 : tensor<4x8x1x2xf32>
    %86 = stablehlo.add %83, %85 : tensor<4x8x1x2xf32>
    %87 = stablehlo.concatenate %81, %86, dim = 3 : (tensor<4x8x1x2xf32>, tensor<4x8x1x2xf32>) -> tensor<4x8x1x4xf32>
    %88 = stablehlo.dot_general %23, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x1x4xf32>) -> tensor<4x8x1x4xf32>
    %89 = stablehlo.reshape %55 : (tensor<4x8x2x4xf32>) -> tensor<4x8x1x2x4xf32>
    %90 = stablehlo.dot_general %87, %89, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x1x2x4xf32>) -> tensor<4x1x8x8x2xf32>
    %91 = stablehlo.transpose %90, dims = [0, 1, 4, 3, 2] : (tensor<4x1x8x8x2xf32>) -> tensor<4x1x2x8x8xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %93 = stablehlo.divide %91, %92 : tensor<4x1x2x8x8xf32>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %94 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %95 = call @tril(%94) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %96:2 = call @_where(%95, %93, %cst_10) : (tensor<8x8xi1>, tensor<4x1x2x8x8xf32>, tensor<f32>) -> (tensor<4x1x2x8x8xf32>, tensor<4x1x2x8x8xi1>)
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %97 = stablehlo.reduce(%96#0 init: %cst_11) applies stablehlo.maximum across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1x2x8xf32>
    %99 = stablehlo.maximum %98, %97 : tensor<4x1x2x8xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %102 = stablehlo.subtract %96#0, %101 : tensor<4x1x2x8x8xf32>
    %103 = stablehlo.exponential %102 : tensor<4x1x2x8x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_13) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %107 = stablehlo.divide %103, %106 : tensor<4x1x2x8x8xf32>
    %108 = stablehlo.multiply %105, %105 : tensor<4x1x2x8x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x1xf32>
    %110 = stablehlo.divide %109, %108 : tensor<4x1x2x8x1xf32>
    %111 = stablehlo.dot_general %88, %107, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x4x2x8xf32>
    %112 = stablehlo.transpose %111, dims = [0, 4, 1, 3, 2] : (tensor<4x1x4x2x8xf32>) -> tensor<4x8x1x2x4xf32>
    %113 = stablehlo.reshape %112 : (tensor<4x8x1x2x4xf32>) -> tensor<4x8x8xf32>
    %114 = stablehlo.dot_general %113, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
    %115 = stablehlo.add %10, %114 : tensor<4x8x8xf32>
    %116 = stablehlo.multiply %115, %115 : tensor<4x8x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_16 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<4x8x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %122 = stablehlo.add %120, %121 : tensor<4x8x1xf32>
    %123 = stablehlo.rsqrt %122 : tensor<4x8x1xf32>
    %124 = stablehlo.divide %123, %122 : tensor<4x8x1xf32>
    %cst_18 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %126 = stablehlo.multiply %125, %124 : tensor<4x8x1xf32>
    %127 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %128 = stablehlo.multiply %115, %127 : tensor<4x8x8xf32>
    %129 = stablehlo.dot_general %128, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x12xf32>) -> tensor<4x8x12xf32>
    %130 = stablehlo.multiply %129, %129 : tensor<4x8x12xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<4x8x12xf32>
    %132 = stablehlo.multiply %129, %129 : tensor<4x8x12xf32>
    %cst_19 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<4x8x12xf32>
    %cst_20 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %136 = stablehlo.multiply %135, %131 : tensor<4x8x12xf32>
    %137 = stablehlo.add %129, %136 : tensor<4x8x12xf32>
    %cst_21 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<4x8x12xf32>
    %140 = stablehlo.tanh %139 : tensor<4x8x12xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %142 = stablehlo.subtract %141, %140 : tensor<4x8x12xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %144 = stablehlo.add %143, %140 : tensor<4x8x12xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<4x8x12xf32>
    %147 = stablehlo.multiply %129, %146 : tensor<4x8x12xf32>
    %148 = stablehlo.dot_general %147, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<12x8xf32>) -> tensor<4x8x8xf32>
    %149 = stablehlo.add %115, %148 : tensor<4x8x8xf32>
    %150 = stablehlo.multiply %149, %149 : tensor<4x8x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_26 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %154 = stablehlo.divide %152, %153 : tensor<4x8x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %156 = stablehlo.add %154, %155 : tensor<4x8x1xf32>
    %157 = stablehlo.rsqrt %156 : tensor<4x8x1xf32>
    %158 = stablehlo.divide %157, %156 : tensor<4x8x1xf32>
    %cst_28 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %160 = stablehlo.multiply %159, %158 : tensor<4x8x1xf32>
    %161 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %162 = stablehlo.multiply %149, %161 : tensor<4x8x8xf32>
    %163 = stablehlo.dot_general %162, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %164 = stablehlo.iota dim = 0 : tensor<8xi32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %166 = stablehlo.iota dim = 0 : tensor<2xi32>
    %167 = stablehlo.negate %166 : tensor<2xi32>
    %168 = stablehlo.convert %167 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %170 = stablehlo.divide %168, %169 : tensor<2xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %172 = stablehlo.power %171, %170 : tensor<2xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %174 = stablehlo.convert %165 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %176 = stablehlo.broadcast_in_dim %173, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %177 = stablehlo.multiply %175, %176 : tensor<8x2xf32>
    %178 = stablehlo.cosine %177 : tensor<8x2xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %180 = stablehlo.sine %177 : tensor<8x2xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %182 = stablehlo.slice %163 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %183 = stablehlo.slice %163 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %184 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %185 = stablehlo.multiply %182, %184 : tensor<4x8x2x2xf32>
    %186 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %187 = stablehlo.multiply %183, %186 : tensor<4x8x2x2xf32>
    %188 = stablehlo.subtract %185, %187 : tensor<4x8x2x2xf32>
    %189 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %190 = stablehlo.multiply %182, %189 : tensor<4x8x2x2xf32>
    %191 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %192 = stablehlo.multiply %183, %191 : tensor<4x8x2x2xf32>
    %193 = stablehlo.add %190, %192 : tensor<4x8x2x2xf32>
    %194 = stablehlo.concatenate %188, %193, dim = 3 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x4xf32>
    %195 = stablehlo.dot_general %162, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x1x4xf32>) -> tensor<4x8x1x4xf32>
    %196 = stablehlo.iota dim = 0 : tensor<8xi32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %198 = stablehlo.iota dim = 0 : tensor<2xi32>
    %199 = stablehlo.negate %198 : tensor<2xi32>
    %200 = stablehlo.convert %199 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %202 = stablehlo.divide %200, %201 : tensor<2xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %204 = stablehlo.power %203, %202 : tensor<2xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %206 = stablehlo.convert %197 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %208 = stablehlo.broadcast_in_dim %205, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %209 = stablehlo.multiply %207, %208 : tensor<8x2xf32>
    %210 = stablehlo.cosine %209 : tensor<8x2xf32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %212 = stablehlo.sine %209 : tensor<8x2xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %214 = stablehlo.slice %195 [0:4, 0:8, 0:1, 0:2] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %215 = stablehlo.slice %195 [0:4, 0:8, 0:1, 2:4] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %216 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %217 = stablehlo.multiply %214, %216 : tensor<4x8x1x2xf32>
    %218 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %219 = stablehlo.multiply %215, %218 : tensor<4x8x1x2xf32>
    %220 = stablehlo.subtract %217, %219 : tensor<4x8x1x2xf32>
    %221 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %222 = stablehlo.multiply %214, %221 : tensor<4x8x1x2xf32>
    %223 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %224 = stablehlo.multiply %215, %223 : tensor<4x8x1x2xf32>
    %225 = stablehlo.add %222, %224 : tensor<4x8x1x2xf32>
    %226 = stablehlo.concatenate %220, %225, dim = 3 : (tensor<4x8x1x2xf32>, tensor<4x8x1x2xf32>) -> tensor<4x8x1x4xf32>
    %227 = stablehlo.dot_general %162, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x1x4xf32>) -> tensor<4x8x1x4xf32>
    %228 = stablehlo.reshape %194 : (tensor<4x8x2x4xf32>) -> tensor<4x8x1x2x4xf32>
    %229 = stablehlo.dot_general %226, %228, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x1x2x4xf32>) -> tensor<4x1x8x8x2xf32>
    %230 = stablehlo.transpose %229, dims = [0, 1, 4, 3, 2] : (tensor<4x1x8x8x2xf32>) -> tensor<4x1x2x8x8xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %232 = stablehlo.divide %230, %231 : tensor<4x1x2x8x8xf32>
    %c_34 = stablehlo.constant dense<true> : tensor<i1>
    %233 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %234 = call @tril(%233) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %235:2 = call @_where(%234, %232, %cst_35) : (tensor<8x8xi1>, tensor<4x1x2x8x8xf32>, tensor<f32>) -> (tensor<4x1x2x8x8xf32>, tensor<4x1x2x8x8xi1>)
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %236 = stablehlo.reduce(%235#0 init: %cst_36) applies stablehlo.maximum across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x1x2x8xf32>
    %238 = stablehlo.maximum %237, %236 : tensor<4x1x2x8xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %241 = stablehlo.subtract %235#0, %240 : tensor<4x1x2x8x8xf32>
    %242 = stablehlo.exponential %241 : tensor<4x1x2x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%242 init: %cst_38) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %246 = stablehlo.divide %242, %245 : tensor<4x1x2x8x8xf32>
    %247 = stablehlo.multiply %244, %244 : tensor<4x1x2x8x1xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x1xf32>
    %249 = stablehlo.divide %248, %247 : tensor<4x1x2x8x1xf32>
    %250 = stablehlo.dot_general %227, %246, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x4x2x8xf32>
    %251 = stablehlo.transpose %250, dims = [0, 4, 1, 3, 2] : (tensor<4x1x4x2x8xf32>) -> tensor<4x8x1x2x4xf32>
    %252 = stablehlo.reshape %251 : (tensor<4x8x1x2x4xf32>) -> tensor<4x8x8xf32>
    %253 = stablehlo.dot_general %252, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
    %254 = stablehlo.add %149, %253 : tensor<4x8x8xf32>
    %255 = stablehlo.multiply %254, %254 : tensor<4x8x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_41 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %259 = stablehlo.divide %257, %258 : tensor<4x8x1xf32>
    %cst_42 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %261 = stablehlo.add %259, %260 : tensor<4x8x1xf32>
    %262 = stablehlo.rsqrt %261 : tensor<4x8x1xf32>
    %263 = stablehlo.divide %262, %261 : tensor<4x8x1xf32>
    %cst_43 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %265 = stablehlo.multiply %264, %263 : tensor<4x8x1xf32>
    %266 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %267 = stablehlo.multiply %254, %266 : tensor<4x8x8xf32>
    %268 = stablehlo.dot_general %267, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x12xf32>) -> tensor<4x8x12xf32>
    %269 = stablehlo.multiply %268, %268 : tensor<4x8x12xf32>
    %270 = stablehlo.multiply %269, %268 : tensor<4x8x12xf32>
    %271 = stablehlo.multiply %268, %268 : tensor<4x8x12xf32>
    %cst_44 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %273 = stablehlo.multiply %272, %271 : tensor<4x8x12xf32>
    %cst_45 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %275 = stablehlo.multiply %274, %270 : tensor<4x8x12xf32>
    %276 = stablehlo.add %268, %275 : tensor<4x8x12xf32>
    %cst_46 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %278 = stablehlo.multiply %277, %276 : tensor<4x8x12xf32>
    %279 = stablehlo.tanh %278 : tensor<4x8x12xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %281 = stablehlo.subtract %280, %279 : tensor<4x8x12xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %283 = stablehlo.add %282, %279 : tensor<4x8x12xf32>
    %cst_49 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<4x8x12xf32>
    %286 = stablehlo.multiply %268, %285 : tensor<4x8x12xf32>
    %287 = stablehlo.dot_general %286, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<12x8xf32>) -> tensor<4x8x8xf32>
    %288 = stablehlo.add %254, %287 : tensor<4x8x8xf32>
    %289 = stablehlo.multiply %288, %288 : tensor<4x8x8xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_51 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %293 = stablehlo.divide %291, %292 : tensor<4x8x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %295 = stablehlo.add %293, %294 : tensor<4x8x1xf32>
    %296 = stablehlo.rsqrt %295 : tensor<4x8x1xf32>
    %297 = stablehlo.divide %296, %295 : tensor<4x8x1xf32>
    %cst_53 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %299 = stablehlo.multiply %298, %297 : tensor<4x8x1xf32>
    %300 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %301 = stablehlo.multiply %288, %300 : tensor<4x8x8xf32>
    %302 = stablehlo.dot_general %301, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x16xf32>) -> tensor<4x8x16xf32>
    %303:3 = call @log_softmax(%302) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x1xf32>)
    %304 = stablehlo.slice %arg30 [0:4, 1:9] : (tensor<4x9xi32>) -> tensor<4x8xi32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %306:2 = call @take_along_axis(%303#0, %305) : (tensor<4x8x16xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.reduce(%306#0 init: %cst_54) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_55 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %308 = stablehlo.divide %307, %cst_55 : tensor<f32>
    %309 = stablehlo.negate %308 : tensor<f32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %310 = stablehlo.negate %cst_56 : tensor<f32>
    %cst_57 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %311 = stablehlo.divide %310, %cst_57 : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %313 = call @take_along_axis_0(%306#1, %312) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %314 = call @log_softmax_1(%303#1, %303#2, %313) : (tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %315 = stablehlo.dot_general %314, %301, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
    %316 = stablehlo.transpose %315, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %317 = stablehlo.dot_general %314, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<8x16xf32>) -> tensor<4x8x8xf32>
    %318 = stablehlo.multiply %288, %317 : tensor<4x8x8xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.reduce(%318 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %320 = stablehlo.reshape %319 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %321 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %322 = stablehlo.multiply %317, %321 : tensor<4x8x8xf32>
    %323 = stablehlo.multiply %320, %299 : tensor<4x8x1xf32>
    %cst_59 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %325 = stablehlo.divide %323, %324 : tensor<4x8x1xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %326 = stablehlo.reduce(%325 init: %cst_60) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %328 = stablehlo.multiply %288, %327 : tensor<4x8x8xf32>
    %329 = stablehlo.add %322, %328 : tensor<4x8x8xf32>
    %330 = stablehlo.multiply %327, %288 : tensor<4x8x8xf32>
    %331 = stablehlo.add %329, %330 : tensor<4x8x8xf32>
    %332 = stablehlo.dot_general %331, %286, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x12xf32>) -> tensor<8x12xf32>
    %333 = stablehlo.transpose %332, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %334 = stablehlo.dot_general %331, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<12x8xf32>) -> tensor<4x8x12xf32>
    %335 = stablehlo.multiply %268, %334 : tensor<4x8x12xf32>
    %336 = stablehlo.multiply %334, %285 : tensor<4x8x12xf32>
    %cst_61 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %338 = stablehlo.multiply %337, %335 : tensor<4x8x12xf32>
    %339 = stablehlo.multiply %338, %281 : tensor<4x8x12xf32>
    %340 = stablehlo.multiply %339, %279 : tensor<4x8x12xf32>
    %341 = stablehlo.add %339, %340 : tensor<4x8x12xf32>
    %cst_62 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %343 = stablehlo.multiply %342, %341 : tensor<4x8x12xf32>
    %344 = stablehlo.add %336, %343 : tensor<4x8x12xf32>
    %cst_63 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %346 = stablehlo.multiply %345, %343 : tensor<4x8x12xf32>
    %347 = stablehlo.multiply %346, %273 : tensor<4x8x12xf32>
    %348 = stablehlo.add %344, %347 : tensor<4x8x12xf32>
    %349 = stablehlo.dot_general %348, %267, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<4x8x8xf32>) -> tensor<12x8xf32>
    %350 = stablehlo.transpose %349, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %351 = stablehlo.dot_general %348, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<8x12xf32>) -> tensor<4x8x8xf32>
    %352 = stablehlo.multiply %254, %351 : tensor<4x8x8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.reduce(%352 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %354 = stablehlo.reshape %353 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %355 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %356 = stablehlo.multiply %351, %355 : tensor<4x8x8xf32>
    %357 = stablehlo.add %331, %356 : tensor<4x8x8xf32>
    %358 = stablehlo.multiply %354, %265 : tensor<4x8x1xf32>
    %cst_65 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %359 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %360 = stablehlo.divide %358, %359 : tensor<4x8x1xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.reduce(%360 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %363 = stablehlo.multiply %254, %362 : tensor<4x8x8xf32>
    %364 = stablehlo.add %357, %363 : tensor<4x8x8xf32>
    %365 = stablehlo.multiply %362, %254 : tensor<4x8x8xf32>
    %366 = stablehlo.add %364, %365 : tensor<4x8x8xf32>
    %367 = stablehlo.dot_general %366, %252, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<8x8xf32>
    %368 = stablehlo.transpose %367, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %369 = stablehlo.dot_general %366, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
    %370 = stablehlo.reshape %369 : (tensor<4x8x8xf32>) -> tensor<4x8x1x2x4xf32>
    %371 = stablehlo.transpose %370, dims = [0, 2, 4, 3, 1] : (tensor<4x8x1x2x4xf32>) -> tensor<4x1x4x2x8xf32>
    %372 = stablehlo.dot_general %371, %227, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x4x2x8xf32>, tensor<4x8x1x4xf32>) -> tensor<4x1x2x8x8xf32>
    %373 = stablehlo.dot_general %371, %246, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x4x2x8xf32>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x4x8xf32>
    %374 = stablehlo.transpose %373, dims = [0, 3, 1, 2] : (tensor<4x1x4x8xf32>) -> tensor<4x8x1x4xf32>
    %375 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %376 = stablehlo.multiply %372, %375 : tensor<4x1x2x8x8xf32>
    %377 = stablehlo.multiply %376, %242 : tensor<4x1x2x8x8xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %378 = stablehlo.reduce(%377 init: %cst_67) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %379 = stablehlo.reshape %378 : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %380 = stablehlo.negate %379 : tensor<4x1x2x8x1xf32>
    %381 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %382 = stablehlo.divide %372, %381 : tensor<4x1x2x8x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.reduce(%380 init: %cst_68) applies stablehlo.add across dimensions = [1, 4] : (tensor<4x1x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %384 = stablehlo.broadcast_in_dim %383, dims = [0, 2, 3] : (tensor<4x2x8xf32>) -> tensor<4x1x2x8xf32>
    %385 = stablehlo.broadcast_in_dim %384, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x8xf32>
    %386 = stablehlo.add %382, %385 : tensor<4x1x2x8x8xf32>
    %387 = stablehlo.multiply %386, %242 : tensor<4x1x2x8x8xf32>
    %388 = call @_where_2(%235#1, %387) : (tensor<4x1x2x8x8xi1>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x2x8x8xf32>
    %cst_69 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %389 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %390 = stablehlo.divide %388, %389 : tensor<4x1x2x8x8xf32>
    %391 = stablehlo.transpose %390, dims = [0, 1, 4, 3, 2] : (tensor<4x1x2x8x8xf32>) -> tensor<4x1x8x8x2xf32>
    %392 = stablehlo.dot_general %391, %226, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x8x8x2xf32>, tensor<4x8x1x4xf32>) -> tensor<4x1x8x2x4xf32>
    %393 = stablehlo.transpose %392, dims = [0, 2, 1, 3, 4] : (tensor<4x1x8x2x4xf32>) -> tensor<4x8x1x2x4xf32>
    %394 = stablehlo.dot_general %391, %228, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x8x8x2xf32>, tensor<4x8x1x2x4xf32>) -> tensor<4x1x8x4xf32>
    %395 = stablehlo.transpose %394, dims = [0, 2, 1, 3] : (tensor<4x1x8x4xf32>) -> tensor<4x8x1x4xf32>
    %396 = stablehlo.reshape %393 : (tensor<4x8x1x2x4xf32>) -> tensor<4x8x2x4xf32>
    %397 = stablehlo.dot_general %374, %162, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x8xf32>) -> tensor<1x4x8xf32>
    %398 = stablehlo.transpose %397, dims = [2, 0, 1] : (tensor<1x4x8xf32>) -> tensor<8x1x4xf32>
    %399 = stablehlo.dot_general %374, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<8x1x4xf32>) -> tensor<4x8x8xf32>
    %400 = stablehlo.slice %395 [0:4, 0:8, 0:1, 0:2] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %401 = stablehlo.slice %395 [0:4, 0:8, 0:1, 2:4] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %402 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %403 = stablehlo.multiply %401, %402 : tensor<4x8x1x2xf32>
    %404 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %405 = stablehlo.multiply %401, %404 : tensor<4x8x1x2xf32>
    %406 = stablehlo.negate %400 : tensor<4x8x1x2xf32>
    %407 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %408 = stablehlo.multiply %406, %407 : tensor<4x8x1x2xf32>
    %409 = stablehlo.add %403, %408 : tensor<4x8x1x2xf32>
    %410 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %411 = stablehlo.multiply %400, %410 : tensor<4x8x1x2xf32>
    %412 = stablehlo.add %405, %411 : tensor<4x8x1x2xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.pad %409, %cst_70, low = [0, 0, 0, 2], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x1x2xf32>, tensor<f32>) -> tensor<4x8x1x4xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %414 = stablehlo.pad %412, %cst_71, low = [0, 0, 0, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0] : (tensor<4x8x1x2xf32>, tensor<f32>) -> tensor<4x8x1x4xf32>
    %415 = stablehlo.add %413, %414 : tensor<4x8x1x4xf32>
    %416 = stablehlo.dot_general %415, %162, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x8xf32>) -> tensor<1x4x8xf32>
    %417 = stablehlo.transpose %416, dims = [2, 0, 1] : (tensor<1x4x8xf32>) -> tensor<8x1x4xf32>
    %418 = stablehlo.dot_general %415, %arg8, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<8x1x4xf32>) -> tensor<4x8x8xf32>
    %419 = stablehlo.add %399, %418 : tensor<4x8x8xf32>
    %420 = stablehlo.slice %396 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %421 = stablehlo.slice %396 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %422 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %423 = stablehlo.multiply %421, %422 : tensor<4x8x2x2xf32>
    %424 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %425 = stablehlo.multiply %421, %424 : tensor<4x8x2x2xf32>
    %426 = stablehlo.negate %420 : tensor<4x8x2x2xf32>
    %427 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %428 = stablehlo.multiply %426, %427 : tensor<4x8x2x2xf32>
    %429 = stablehlo.add %423, %428 : tensor<4x8x2x2xf32>
    %430 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %431 = stablehlo.multiply %420, %430 : tensor<4x8x2x2xf32>
    %432 = stablehlo.add %425, %431 : tensor<4x8x2x2xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %433 = stablehlo.pad %429, %cst_72, low = [0, 0, 0, 2], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x2x2xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %434 = stablehlo.pad %432, %cst_73, low = [0, 0, 0, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0] : (tensor<4x8x2x2xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %435 = stablehlo.add %433, %434 : tensor<4x8x2x4xf32>
    %436 = stablehlo.dot_general %435, %162, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xf32>, tensor<4x8x8xf32>) -> tensor<2x4x8xf32>
    %437 = stablehlo.transpose %436, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %438 = stablehlo.dot_general %435, %arg10, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<4x8x8xf32>
    %439 = stablehlo.add %419, %438 : tensor<4x8x8xf32>
    %440 = stablehlo.multiply %149, %439 : tensor<4x8x8xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %441 = stablehlo.reduce(%440 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %442 = stablehlo.reshape %441 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %443 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %444 = stablehlo.multiply %439, %443 : tensor<4x8x8xf32>
    %445 = stablehlo.add %366, %444 : tensor<4x8x8xf32>
    %446 = stablehlo.multiply %442, %160 : tensor<4x8x1xf32>
    %cst_75 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %448 = stablehlo.divide %446, %447 : tensor<4x8x1xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %449 = stablehlo.reduce(%448 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %450 = stablehlo.broadcast_in_dim %449, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %451 = stablehlo.multiply %149, %450 : tensor<4x8x8xf32>
    %452 = stablehlo.add %445, %451 : tensor<4x8x8xf32>
    %453 = stablehlo.multiply %450, %149 : tensor<4x8x8xf32>
    %454 = stablehlo.add %452, %453 : tensor<4x8x8xf32>
    %455 = stablehlo.dot_general %454, %147, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x12xf32>) -> tensor<8x12xf32>
    %456 = stablehlo.transpose %455, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %457 = stablehlo.dot_general %454, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<12x8xf32>) -> tensor<4x8x12xf32>
    %458 = stablehlo.multiply %129, %457 : tensor<4x8x12xf32>
    %459 = stablehlo.multiply %457, %146 : tensor<4x8x12xf32>
    %cst_77 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %460 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %461 = stablehlo.multiply %460, %458 : tensor<4x8x12xf32>
    %462 = stablehlo.multiply %461, %142 : tensor<4x8x12xf32>
    %463 = stablehlo.multiply %462, %140 : tensor<4x8x12xf32>
    %464 = stablehlo.add %462, %463 : tensor<4x8x12xf32>
    %cst_78 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %465 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %466 = stablehlo.multiply %465, %464 : tensor<4x8x12xf32>
    %467 = stablehlo.add %459, %466 : tensor<4x8x12xf32>
    %cst_79 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %468 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %469 = stablehlo.multiply %468, %466 : tensor<4x8x12xf32>
    %470 = stablehlo.multiply %469, %134 : tensor<4x8x12xf32>
    %471 = stablehlo.add %467, %470 : tensor<4x8x12xf32>
    %472 = stablehlo.dot_general %471, %128, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<4x8x8xf32>) -> tensor<12x8xf32>
    %473 = stablehlo.transpose %472, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %474 = stablehlo.dot_general %471, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<8x12xf32>) -> tensor<4x8x8xf32>
    %475 = stablehlo.multiply %115, %474 : tensor<4x8x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %477 = stablehlo.reshape %476 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %478 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %479 = stablehlo.multiply %474, %478 : tensor<4x8x8xf32>
    %480 = stablehlo.add %454, %479 : tensor<4x8x8xf32>
    %481 = stablehlo.multiply %477, %126 : tensor<4x8x1xf32>
    %cst_81 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %483 = stablehlo.divide %481, %482 : tensor<4x8x1xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%483 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %486 = stablehlo.multiply %115, %485 : tensor<4x8x8xf32>
    %487 = stablehlo.add %480, %486 : tensor<4x8x8xf32>
    %488 = stablehlo.multiply %485, %115 : tensor<4x8x8xf32>
    %489 = stablehlo.add %487, %488 : tensor<4x8x8xf32>
    %490 = stablehlo.dot_general %489, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<8x8xf32>
    %491 = stablehlo.transpose %490, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %492 = stablehlo.dot_general %489, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<4x8x8xf32>
    %493 = stablehlo.reshape %492 : (tensor<4x8x8xf32>) -> tensor<4x8x1x2x4xf32>
    %494 = stablehlo.transpose %493, dims = [0, 2, 4, 3, 1] : (tensor<4x8x1x2x4xf32>) -> tensor<4x1x4x2x8xf32>
    %495 = stablehlo.dot_general %494, %88, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x4x2x8xf32>, tensor<4x8x1x4xf32>) -> tensor<4x1x2x8x8xf32>
    %496 = stablehlo.dot_general %494, %107, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x4x2x8xf32>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x4x8xf32>
    %497 = stablehlo.transpose %496, dims = [0, 3, 1, 2] : (tensor<4x1x4x8xf32>) -> tensor<4x8x1x4xf32>
    %498 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %499 = stablehlo.multiply %495, %498 : tensor<4x1x2x8x8xf32>
    %500 = stablehlo.multiply %499, %103 : tensor<4x1x2x8x8xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %501 = stablehlo.reduce(%500 init: %cst_83) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x8x8xf32>, tensor<f32>) -> tensor<4x1x2x8xf32>
    %502 = stablehlo.reshape %501 : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x1xf32>
    %503 = stablehlo.negate %502 : tensor<4x1x2x8x1xf32>
    %504 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x8x1xf32>) -> tensor<4x1x2x8x8xf32>
    %505 = stablehlo.divide %495, %504 : tensor<4x1x2x8x8xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %506 = stablehlo.reduce(%503 init: %cst_84) applies stablehlo.add across dimensions = [1, 4] : (tensor<4x1x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %507 = stablehlo.broadcast_in_dim %506, dims = [0, 2, 3] : (tensor<4x2x8xf32>) -> tensor<4x1x2x8xf32>
    %508 = stablehlo.broadcast_in_dim %507, dims = [0, 1, 2, 3] : (tensor<4x1x2x8xf32>) -> tensor<4x1x2x8x8xf32>
    %509 = stablehlo.add %505, %508 : tensor<4x1x2x8x8xf32>
    %510 = stablehlo.multiply %509, %103 : tensor<4x1x2x8x8xf32>
    %511 = call @_where_2(%96#1, %510) : (tensor<4x1x2x8x8xi1>, tensor<4x1x2x8x8xf32>) -> tensor<4x1x2x8x8xf32>
    %cst_85 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %512 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %513 = stablehlo.divide %511, %512 : tensor<4x1x2x8x8xf32>
    %514 = stablehlo.transpose %513, dims = [0, 1, 4, 3, 2] : (tensor<4x1x2x8x8xf32>) -> tensor<4x1x8x8x2xf32>
    %515 = stablehlo.dot_general %514, %87, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x8x8x2xf32>, tensor<4x8x1x4xf32>) -> tensor<4x1x8x2x4xf32>
    %516 = stablehlo.transpose %515, dims = [0, 2, 1, 3, 4] : (tensor<4x1x8x2x4xf32>) -> tensor<4x8x1x2x4xf32>
    %517 = stablehlo.dot_general %514, %89, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x8x8x2xf32>, tensor<4x8x1x2x4xf32>) -> tensor<4x1x8x4xf32>
    %518 = stablehlo.transpose %517, dims = [0, 2, 1, 3] : (tensor<4x1x8x4xf32>) -> tensor<4x8x1x4xf32>
    %519 = stablehlo.reshape %516 : (tensor<4x8x1x2x4xf32>) -> tensor<4x8x2x4xf32>
    %520 = stablehlo.dot_general %497, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x8xf32>) -> tensor<1x4x8xf32>
    %521 = stablehlo.transpose %520, dims = [2, 0, 1] : (tensor<1x4x8xf32>) -> tensor<8x1x4xf32>
    %522 = stablehlo.dot_general %497, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<8x1x4xf32>) -> tensor<4x8x8xf32>
    %523 = stablehlo.slice %518 [0:4, 0:8, 0:1, 0:2] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %524 = stablehlo.slice %518 [0:4, 0:8, 0:1, 2:4] : (tensor<4x8x1x4xf32>) -> tensor<4x8x1x2xf32>
    %525 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %526 = stablehlo.multiply %524, %525 : tensor<4x8x1x2xf32>
    %527 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %528 = stablehlo.multiply %524, %527 : tensor<4x8x1x2xf32>
    %529 = stablehlo.negate %523 : tensor<4x8x1x2xf32>
    %530 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %531 = stablehlo.multiply %529, %530 : tensor<4x8x1x2xf32>
    %532 = stablehlo.add %526, %531 : tensor<4x8x1x2xf32>
    %533 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x1x2xf32>
    %534 = stablehlo.multiply %523, %533 : tensor<4x8x1x2xf32>
    %535 = stablehlo.add %528, %534 : tensor<4x8x1x2xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %536 = stablehlo.pad %532, %cst_86, low = [0, 0, 0, 2], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x1x2xf32>, tensor<f32>) -> tensor<4x8x1x4xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %537 = stablehlo.pad %535, %cst_87, low = [0, 0, 0, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0] : (tensor<4x8x1x2xf32>, tensor<f32>) -> tensor<4x8x1x4xf32>
    %538 = stablehlo.add %536, %537 : tensor<4x8x1x4xf32>
    %539 = stablehlo.dot_general %538, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<4x8x8xf32>) -> tensor<1x4x8xf32>
    %540 = stablehlo.transpose %539, dims = [2, 0, 1] : (tensor<1x4x8xf32>) -> tensor<8x1x4xf32>
    %541 = stablehlo.dot_general %538, %arg2, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x1x4xf32>, tensor<8x1x4xf32>) -> tensor<4x8x8xf32>
    %542 = stablehlo.add %522, %541 : tensor<4x8x8xf32>
    %543 = stablehlo.slice %519 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %544 = stablehlo.slice %519 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x2xf32>
    %545 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %546 = stablehlo.multiply %544, %545 : tensor<4x8x2x2xf32>
    %547 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %548 = stablehlo.multiply %544, %547 : tensor<4x8x2x2xf32>
    %549 = stablehlo.negate %543 : tensor<4x8x2x2xf32>
    %550 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %551 = stablehlo.multiply %549, %550 : tensor<4x8x2x2xf32>
    %552 = stablehlo.add %546, %551 : tensor<4x8x2x2xf32>
    %553 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<4x8x2x2xf32>
    %554 = stablehlo.multiply %543, %553 : tensor<4x8x2x2xf32>
    %555 = stablehlo.add %548, %554 : tensor<4x8x2x2xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %556 = stablehlo.pad %552, %cst_88, low = [0, 0, 0, 2], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x2x2xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.pad %555, %cst_89, low = [0, 0, 0, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0] : (tensor<4x8x2x2xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %558 = stablehlo.add %556, %557 : tensor<4x8x2x4xf32>
    %559 = stablehlo.dot_general %558, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xf32>, tensor<4x8x8xf32>) -> tensor<2x4x8xf32>
    %560 = stablehlo.transpose %559, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %561 = stablehlo.dot_general %558, %arg4, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<4x8x8xf32>
    %562 = stablehlo.add %542, %561 : tensor<4x8x8xf32>
    %563 = stablehlo.multiply %10, %562 : tensor<4x8x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %564 = stablehlo.reduce(%563 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %565 = stablehlo.reshape %564 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %566 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %567 = stablehlo.multiply %562, %566 : tensor<4x8x8xf32>
    %568 = stablehlo.add %489, %567 : tensor<4x8x8xf32>
    %569 = stablehlo.multiply %565, %21 : tensor<4x8x1xf32>
    %cst_91 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %570 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %571 = stablehlo.divide %569, %570 : tensor<4x8x1xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %572 = stablehlo.reduce(%571 init: %cst_92) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %573 = stablehlo.broadcast_in_dim %572, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %574 = stablehlo.multiply %10, %573 : tensor<4x8x8xf32>
    %575 = stablehlo.add %568, %574 : tensor<4x8x8xf32>
    %576 = stablehlo.multiply %573, %10 : tensor<4x8x8xf32>
    %577 = stablehlo.add %575, %576 : tensor<4x8x8xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %578 = stablehlo.reduce(%577 init: %cst_93) applies stablehlo.add across dimensions = [0] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %579 = stablehlo.reshape %578 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %580 = stablehlo.reduce(%579 init: %cst_94) applies stablehlo.add across dimensions = [0] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %581 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %582 = "stablehlo.scatter"(%581, %6, %577) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %779 = stablehlo.add %arg31, %arg32 : tensor<f32>
      stablehlo.return %779 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<4x8x1xi32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
    %583 = stablehlo.multiply %582, %582 : tensor<16x8xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %584 = stablehlo.reduce(%583 init: %cst_96) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %585 = stablehlo.add %cst_97, %584 : tensor<f32>
    %586 = stablehlo.multiply %316, %316 : tensor<8x16xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %587 = stablehlo.reduce(%586 init: %cst_98) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %588 = stablehlo.add %585, %587 : tensor<f32>
    %589 = stablehlo.multiply %540, %540 : tensor<8x1x4xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %590 = stablehlo.reduce(%589 init: %cst_99) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<f32>
    %591 = stablehlo.add %588, %590 : tensor<f32>
    %592 = stablehlo.multiply %491, %491 : tensor<8x8xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %593 = stablehlo.reduce(%592 init: %cst_100) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %594 = stablehlo.add %591, %593 : tensor<f32>
    %595 = stablehlo.multiply %560, %560 : tensor<8x2x4xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %596 = stablehlo.reduce(%595 init: %cst_101) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %597 = stablehlo.add %594, %596 : tensor<f32>
    %598 = stablehlo.multiply %521, %521 : tensor<8x1x4xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %599 = stablehlo.reduce(%598 init: %cst_102) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<f32>
    %600 = stablehlo.add %597, %599 : tensor<f32>
    %601 = stablehlo.multiply %473, %473 : tensor<8x12xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %602 = stablehlo.reduce(%601 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<f32>
    %603 = stablehlo.add %600, %602 : tensor<f32>
    %604 = stablehlo.multiply %456, %456 : tensor<12x8xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %605 = stablehlo.reduce(%604 init: %cst_104) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x8xf32>, tensor<f32>) -> tensor<f32>
    %606 = stablehlo.add %603, %605 : tensor<f32>
    %607 = stablehlo.multiply %417, %417 : tensor<8x1x4xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %608 = stablehlo.reduce(%607 init: %cst_105) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<f32>
    %609 = stablehlo.add %606, %608 : tensor<f32>
    %610 = stablehlo.multiply %368, %368 : tensor<8x8xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %611 = stablehlo.reduce(%610 init: %cst_106) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %612 = stablehlo.add %609, %611 : tensor<f32>
    %613 = stablehlo.multiply %437, %437 : tensor<8x2x4xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %614 = stablehlo.reduce(%613 init: %cst_107) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %615 = stablehlo.add %612, %614 : tensor<f32>
    %616 = stablehlo.multiply %398, %398 : tensor<8x1x4xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %617 = stablehlo.reduce(%616 init: %cst_108) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<f32>
    %618 = stablehlo.add %615, %617 : tensor<f32>
    %619 = stablehlo.multiply %350, %350 : tensor<8x12xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %620 = stablehlo.reduce(%619 init: %cst_109) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<f32>
    %621 = stablehlo.add %618, %620 : tensor<f32>
    %622 = stablehlo.multiply %333, %333 : tensor<12x8xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %623 = stablehlo.reduce(%622 init: %cst_110) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x8xf32>, tensor<f32>) -> tensor<f32>
    %624 = stablehlo.add %621, %623 : tensor<f32>
    %625 = stablehlo.multiply %580, %580 : tensor<8x8xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %626 = stablehlo.reduce(%625 init: %cst_111) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %627 = stablehlo.add %624, %626 : tensor<f32>
    %628 = stablehlo.sqrt %627 : tensor<f32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %629 = stablehlo.divide %cst_112, %628 : tensor<f32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %630 = stablehlo.minimum %cst_113, %629 : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %630, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %632 = stablehlo.multiply %582, %631 : tensor<16x8xf32>
    %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %633 = stablehlo.divide %cst_114, %628 : tensor<f32>
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %634 = stablehlo.minimum %cst_115, %633 : tensor<f32>
    %635 = stablehlo.broadcast_in_dim %634, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %636 = stablehlo.multiply %316, %635 : tensor<8x16xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %637 = stablehlo.divide %cst_116, %628 : tensor<f32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %638 = stablehlo.minimum %cst_117, %637 : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %638, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %640 = stablehlo.multiply %540, %639 : tensor<8x1x4xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %641 = stablehlo.divide %cst_118, %628 : tensor<f32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %642 = stablehlo.minimum %cst_119, %641 : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %642, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %644 = stablehlo.multiply %491, %643 : tensor<8x8xf32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %645 = stablehlo.divide %cst_120, %628 : tensor<f32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %646 = stablehlo.minimum %cst_121, %645 : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %646, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %648 = stablehlo.multiply %560, %647 : tensor<8x2x4xf32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %649 = stablehlo.divide %cst_122, %628 : tensor<f32>
    %cst_123 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %650 = stablehlo.minimum %cst_123, %649 : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %650, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %652 = stablehlo.multiply %521, %651 : tensor<8x1x4xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %653 = stablehlo.divide %cst_124, %628 : tensor<f32>
    %cst_125 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %654 = stablehlo.minimum %cst_125, %653 : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %654, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %656 = stablehlo.multiply %473, %655 : tensor<8x12xf32>
    %cst_126 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %657 = stablehlo.divide %cst_126, %628 : tensor<f32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %658 = stablehlo.minimum %cst_127, %657 : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %658, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %660 = stablehlo.multiply %456, %659 : tensor<12x8xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %661 = stablehlo.divide %cst_128, %628 : tensor<f32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %662 = stablehlo.minimum %cst_129, %661 : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %662, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %664 = stablehlo.multiply %417, %663 : tensor<8x1x4xf32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %665 = stablehlo.divide %cst_130, %628 : tensor<f32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %666 = stablehlo.minimum %cst_131, %665 : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %666, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %668 = stablehlo.multiply %368, %667 : tensor<8x8xf32>
    %cst_132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %669 = stablehlo.divide %cst_132, %628 : tensor<f32>
    %cst_133 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %670 = stablehlo.minimum %cst_133, %669 : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %670, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %672 = stablehlo.multiply %437, %671 : tensor<8x2x4xf32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %673 = stablehlo.divide %cst_134, %628 : tensor<f32>
    %cst_135 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %674 = stablehlo.minimum %cst_135, %673 : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %674, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %676 = stablehlo.multiply %398, %675 : tensor<8x1x4xf32>
    %cst_136 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %677 = stablehlo.divide %cst_136, %628 : tensor<f32>
    %cst_137 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %678 = stablehlo.minimum %cst_137, %677 : tensor<f32>
    %679 = stablehlo.broadcast_in_dim %678, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %680 = stablehlo.multiply %350, %679 : tensor<8x12xf32>
    %cst_138 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %681 = stablehlo.divide %cst_138, %628 : tensor<f32>
    %cst_139 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %682 = stablehlo.minimum %cst_139, %681 : tensor<f32>
    %683 = stablehlo.broadcast_in_dim %682, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %684 = stablehlo.multiply %333, %683 : tensor<12x8xf32>
    %cst_140 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %685 = stablehlo.divide %cst_140, %628 : tensor<f32>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %686 = stablehlo.minimum %cst_141, %685 : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %686, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %688 = stablehlo.multiply %580, %687 : tensor<8x8xf32>
    %cst_142 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %689 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %690 = stablehlo.multiply %689, %arg15 : tensor<16x8xf32>
    %691 = stablehlo.add %690, %632 : tensor<16x8xf32>
    %cst_143 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %693 = stablehlo.multiply %692, %arg16 : tensor<8x16xf32>
    %694 = stablehlo.add %693, %636 : tensor<8x16xf32>
    %cst_144 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %695 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %696 = stablehlo.multiply %695, %arg17 : tensor<8x1x4xf32>
    %697 = stablehlo.add %696, %640 : tensor<8x1x4xf32>
    %cst_145 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %698 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %699 = stablehlo.multiply %698, %arg18 : tensor<8x8xf32>
    %700 = stablehlo.add %699, %644 : tensor<8x8xf32>
    %cst_146 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %701 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %702 = stablehlo.multiply %701, %arg19 : tensor<8x2x4xf32>
    %703 = stablehlo.add %702, %648 : tensor<8x2x4xf32>
    %cst_147 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %705 = stablehlo.multiply %704, %arg20 : tensor<8x1x4xf32>
    %706 = stablehlo.add %705, %652 : tensor<8x1x4xf32>
    %cst_148 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %708 = stablehlo.multiply %707, %arg21 : tensor<8x12xf32>
    %709 = stablehlo.add %708, %656 : tensor<8x12xf32>
    %cst_149 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %711 = stablehlo.multiply %710, %arg22 : tensor<12x8xf32>
    %712 = stablehlo.add %711, %660 : tensor<12x8xf32>
    %cst_150 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %713 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %714 = stablehlo.multiply %713, %arg23 : tensor<8x1x4xf32>
    %715 = stablehlo.add %714, %664 : tensor<8x1x4xf32>
    %cst_151 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %716 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %717 = stablehlo.multiply %716, %arg24 : tensor<8x8xf32>
    %718 = stablehlo.add %717, %668 : tensor<8x8xf32>
    %cst_152 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %720 = stablehlo.multiply %719, %arg25 : tensor<8x2x4xf32>
    %721 = stablehlo.add %720, %672 : tensor<8x2x4xf32>
    %cst_153 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %723 = stablehlo.multiply %722, %arg26 : tensor<8x1x4xf32>
    %724 = stablehlo.add %723, %676 : tensor<8x1x4xf32>
    %cst_154 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %725 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %726 = stablehlo.multiply %725, %arg27 : tensor<8x12xf32>
    %727 = stablehlo.add %726, %680 : tensor<8x12xf32>
    %cst_155 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %728 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %729 = stablehlo.multiply %728, %arg28 : tensor<12x8xf32>
    %730 = stablehlo.add %729, %684 : tensor<12x8xf32>
    %cst_156 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %731 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %732 = stablehlo.multiply %731, %arg29 : tensor<8x8xf32>
    %733 = stablehlo.add %732, %688 : tensor<8x8xf32>
    %cst_157 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %735 = stablehlo.multiply %734, %691 : tensor<16x8xf32>
    %736 = stablehlo.subtract %arg0, %735 : tensor<16x8xf32>
    %cst_158 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %737 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %738 = stablehlo.multiply %737, %694 : tensor<8x16xf32>
    %739 = stablehlo.subtract %arg1, %738 : tensor<8x16xf32>
    %cst_159 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %740 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %741 = stablehlo.multiply %740, %697 : tensor<8x1x4xf32>
    %742 = stablehlo.subtract %arg2, %741 : tensor<8x1x4xf32>
    %cst_160 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %743 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %744 = stablehlo.multiply %743, %700 : tensor<8x8xf32>
    %745 = stablehlo.subtract %arg3, %744 : tensor<8x8xf32>
    %cst_161 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %746 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %747 = stablehlo.multiply %746, %703 : tensor<8x2x4xf32>
    %748 = stablehlo.subtract %arg4, %747 : tensor<8x2x4xf32>
    %cst_162 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %749 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %750 = stablehlo.multiply %749, %706 : tensor<8x1x4xf32>
    %751 = stablehlo.subtract %arg5, %750 : tensor<8x1x4xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %752 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %753 = stablehlo.multiply %752, %709 : tensor<8x12xf32>
    %754 = stablehlo.subtract %arg6, %753 : tensor<8x12xf32>
    %cst_164 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %755 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %756 = stablehlo.multiply %755, %712 : tensor<12x8xf32>
    %757 = stablehlo.subtract %arg7, %756 : tensor<12x8xf32>
    %cst_165 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %758 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %759 = stablehlo.multiply %758, %715 : tensor<8x1x4xf32>
    %760 = stablehlo.subtract %arg8, %759 : tensor<8x1x4xf32>
    %cst_166 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %761 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %762 = stablehlo.multiply %761, %718 : tensor<8x8xf32>
    %763 = stablehlo.subtract %arg9, %762 : tensor<8x8xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %764 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %765 = stablehlo.multiply %764, %721 : tensor<8x2x4xf32>
    %766 = stablehlo.subtract %arg10, %765 : tensor<8x2x4xf32>
    %cst_168 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %767 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8x1x4xf32>
    %768 = stablehlo.multiply %767, %724 : tensor<8x1x4xf32>
    %769 = stablehlo.subtract %arg11, %768 : tensor<8x1x4xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %770 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %771 = stablehlo.multiply %770, %727 : tensor<8x12xf32>
    %772 = stablehlo.subtract %arg12, %771 : tensor<8x12xf32>
    %cst_170 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %773 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %774 = stablehlo.multiply %773, %730 : tensor<12x8xf32>
    %775 = stablehlo.subtract %arg13, %774 : tensor<12x8xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %776 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %777 = stablehlo.multiply %776, %733 : tensor<8x8xf32>
    %778 = stablehlo.subtract %arg14, %777 : tensor<8x8xf32>
    return %736, %739, %742, %745, %748, %751, %754, %757, %760, %763, %766, %769, %772, %775, %778, %691, %694, %697, %700, %703, %706, %709, %712, %715, %718, %721, %724, %727, %730, %733, %309 : tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x1x4xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x1x4xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<8x1x4xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x1x4xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x1x4xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x1x4xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<8x1x4xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x1x4xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<8x8xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<4x1x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x1x2x8x8xf32>, tensor<4x1x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<8x8xi1>) -> tensor<4x1x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x1x2x8x8xi1>, tensor<4x1x2x8x8xf32>
    return %3, %1 : tensor<4x1x2x8x8xf32>, tensor<4x1x2x8x8xi1>
  }
  func.func private @log_softmax(%arg0: tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x16xf32>
    %6 = stablehlo.exponential %5 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %9 = stablehlo.log %8 : tensor<4x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x8x16xf32>
    return %11, %6, %8 : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<15> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x16xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    return %15, %5 : tensor<4x8x1xf32>, tensor<4x8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x16xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x8x16xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x8x16xf32>
    return %7 : tensor<4x8x16xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x1x2x8x8xi1>, %arg1: tensor<4x1x2x8x8xf32>) -> tensor<4x1x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x1x2x8x8xi1>, tensor<4x1x2x8x8xf32>
    return %1 : tensor<4x1x2x8x8xf32>
  }
}
// expect:
