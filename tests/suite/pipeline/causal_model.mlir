// test: pipeline stages=2 microbatches=4 data=2 slices=2,4
// The sequence of a causal model is cut too: with grouped heads, rotary tables and position embeddings.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x2x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x4x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x4x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x2x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x2x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<4x4x8xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x4x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x2x4xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<10x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8x10xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x2x4xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<16x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<4x4x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x4x4xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<8x2x4xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<8x2x4xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<8x16xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<16x8xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<4x4x8xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<8x4x4xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<8x2x4xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<8x8xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<10x8xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<8x9xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['mlp']['out']"}, tensor<4x4x8xf32> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<8x4x4xf32> {jax.result_info = "result[0]['layers'][0]['q']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['mlp']['out']"}, tensor<4x4x8xf32> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<8x4x4xf32> {jax.result_info = "result[0]['layers'][1]['q']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<8x8xf32> {jax.result_info = "result[0]['places']"}, tensor<10x8xf32> {jax.result_info = "result[0]['table']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][0]['k']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['mlp']['out']"}, tensor<4x4x8xf32> {jax.result_info = "result[1]['layers'][0]['o']"}, tensor<8x4x4xf32> {jax.result_info = "result[1]['layers'][0]['q']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][0]['v']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][1]['k']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['mlp']['out']"}, tensor<4x4x8xf32> {jax.result_info = "result[1]['layers'][1]['o']"}, tensor<8x4x4xf32> {jax.result_info = "result[1]['layers'][1]['q']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['layers'][1]['v']"}, tensor<8x8xf32> {jax.result_info = "result[1]['places']"}, tensor<10x8xf32> {jax.result_info = "result[1]['table']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.slice %arg30 [0:8, 0:8] : (tensor<8x9xi32>) -> tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %4 = stablehlo.add %0, %3 : tensor<8x8xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<8x8xi1>, tensor<8x8xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %7 = "stablehlo.gather"(%arg14, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x8x1xi32>) -> tensor<8x8x8xf32>
    %8 = stablehlo.broadcast_in_dim %arg13, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x8x8xf32>) -> tensor<8x8x8xf32>
    %10 = stablehlo.add %7, %9 : tensor<8x8x8xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<8x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<8x8x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %17 = stablehlo.add %15, %16 : tensor<8x8x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<8x8x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<8x8x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<8x8x1xf32>
    %22 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %23 = stablehlo.multiply %10, %22 : tensor<8x8x8xf32>
    %24 = stablehlo.dot_general %23, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4x4xf32>
    %25 = stablehlo.iota dim = 0 : tensor<8xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %27 = stablehlo.iota dim = 0 : tensor<2xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %29 = stablehlo.convert %28 : (tensor<1x2xi32>) -> tensor<1x2xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<1x2xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %33 = stablehlo.divide %31, %32 : tensor<1x2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %35 = stablehlo.power %34, %33 : tensor<1x2xf32>
    %36 = stablehlo.convert %26 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %38 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<8x2xf32>
    %40 = stablehlo.cosine %39 : tensor<8x2xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %42 = stablehlo.sine %39 : tensor<8x2xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %44 = stablehlo.slice %24 [0:8, 0:8, 0:4, 0:2] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %45 = stablehlo.slice %24 [0:8, 0:8, 0:4, 2:4] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %46 = stablehlo.convert %41 : tensor<1x8x1x2xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %48 = stablehlo.multiply %44, %47 : tensor<8x8x4x2xf32>
    %49 = stablehlo.convert %43 : tensor<1x8x1x2xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %51 = stablehlo.multiply %45, %50 : tensor<8x8x4x2xf32>
    %52 = stablehlo.subtract %48, %51 : tensor<8x8x4x2xf32>
    %53 = stablehlo.convert %43 : tensor<1x8x1x2xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %55 = stablehlo.multiply %44, %54 : tensor<8x8x4x2xf32>
    %56 = stablehlo.convert %41 : tensor<1x8x1x2xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %58 = stablehlo.multiply %45, %57 : tensor<8x8x4x2xf32>
    %59 = stablehlo.add %55, %58 : tensor<8x8x4x2xf32>
    %60 = stablehlo.concatenate %52, %59, dim = 3 : (tensor<8x8x4x2xf32>, tensor<8x8x4x2xf32>) -> tensor<8x8x4x4xf32>
    %61 = stablehlo.reshape %60 : (tensor<8x8x4x4xf32>) -> tensor<8x8x2x2x4xf32>
    %62 = stablehlo.dot_general %23, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x2x4xf32>) -> tensor<8x8x2x4xf32>
    %63 = stablehlo.iota dim = 0 : tensor<8xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %65 = stablehlo.iota dim = 0 : tensor<2xi32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %67 = stablehlo.convert %66 : (tensor<1x2xi32>) -> tensor<1x2xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<1x2xf32>
    %cst_8 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %71 = stablehlo.divide %69, %70 : tensor<1x2xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %73 = stablehlo.power %72, %71 : tensor<1x2xf32>
    %74 = stablehlo.convert %64 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %76 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %77 = stablehlo.multiply %75, %76 : tensor<8x2xf32>
    %78 = stablehlo.cosine %77 : tensor<8x2xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %80 = stablehlo.sine %77 : tensor<8x2xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %82 = stablehlo.slice %62 [0:8, 0:8, 0:2, 0:2] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %83 = stablehlo.slice %62 [0:8, 0:8, 0:2, 2:4] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %84 = stablehlo.convert %79 : tensor<1x8x1x2xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %86 = stablehlo.multiply %82, %85 : tensor<8x8x2x2xf32>
    %87 = stablehlo.convert %81 : tensor<1x8x1x2xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %89 = stablehlo.multiply %83, %88 : tensor<8x8x2x2xf32>
    %90 = stablehlo.subtract %86, %89 : tensor<8x8x2x2xf32>
    %91 = stablehlo.convert %81 : tensor<1x8x1x2xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %93 = stablehlo.multiply %82, %92 : tensor<8x8x2x2xf32>
    %94 = stablehlo.convert %79 : tensor<1x8x1x2xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %96 = stablehlo.multiply %83, %95 : tensor<8x8x2x2xf32>
    %97 = stablehlo.add %93, %96 : tensor<8x8x2x2xf32>
    %98 = stablehlo.concatenate %90, %97, dim = 3 : (tensor<8x8x2x2xf32>, tensor<8x8x2x2xf32>) -> tensor<8x8x2x4xf32>
    %99 = stablehlo.dot_general %23, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x2x4xf32>) -> tensor<8x8x2x4xf32>
    %100 = stablehlo.dot_general %98, %61, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x2x2x4xf32>) -> tensor<8x2x8x8x2xf32>
    %101 = stablehlo.transpose %100, dims = [0, 1, 4, 3, 2] : (tensor<8x2x8x8x2xf32>) -> tensor<8x2x2x8x8xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %103 = stablehlo.divide %101, %102 : tensor<8x2x2x8x8xf32>
    %c_11 = stablehlo.constant dense<true> : tensor<i1>
    %104 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %105 = call @tril(%104) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_12 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %106:3 = call @_where(%105, %103, %cst_12) : (tensor<8x8xi1>, tensor<8x2x2x8x8xf32>, tensor<f32>) -> (tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>)
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %107 = stablehlo.reduce(%106#0 init: %cst_13) applies stablehlo.maximum across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %108 = stablehlo.reshape %107 : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %110 = stablehlo.compare EQ, %106#0, %109, FLOAT : (tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x2x8x8xi1>
    %111 = stablehlo.convert %110 : (tensor<8x2x2x8x8xi1>) -> tensor<8x2x2x8x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_14) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %114 = stablehlo.maximum %113, %107 : tensor<8x2x2x8xf32>
    %115 = stablehlo.compare EQ, %107, %114, FLOAT : (tensor<8x2x2x8xf32>, tensor<8x2x2x8xf32>) -> tensor<8x2x2x8xi1>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %118 = stablehlo.select %115, %116, %117 : tensor<8x2x2x8xi1>, tensor<8x2x2x8xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %120 = stablehlo.compare EQ, %119, %114, FLOAT : (tensor<8x2x2x8xf32>, tensor<8x2x2x8xf32>) -> tensor<8x2x2x8xi1>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %123 = stablehlo.select %120, %121, %122 : tensor<8x2x2x8xi1>, tensor<8x2x2x8xf32>
    %124 = stablehlo.divide %118, %123 : tensor<8x2x2x8xf32>
    %125 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %127 = stablehlo.subtract %106#0, %126 : tensor<8x2x2x8x8xf32>
    %128 = stablehlo.exponential %127 : tensor<8x2x2x8x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_21) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %132 = stablehlo.divide %128, %131 : tensor<8x2x2x8x8xf32>
    %133 = stablehlo.multiply %130, %130 : tensor<8x2x2x8x1xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x1xf32>
    %135 = stablehlo.divide %134, %133 : tensor<8x2x2x8x1xf32>
    %136 = stablehlo.dot_general %99, %132, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x4x2x8xf32>
    %137 = stablehlo.transpose %136, dims = [0, 4, 1, 3, 2] : (tensor<8x2x4x2x8xf32>) -> tensor<8x8x2x2x4xf32>
    %138 = stablehlo.reshape %137 : (tensor<8x8x2x2x4xf32>) -> tensor<8x8x4x4xf32>
    %139 = stablehlo.dot_general %138, %arg4, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<4x4x8xf32>) -> tensor<8x8x8xf32>
    %140 = stablehlo.add %10, %139 : tensor<8x8x8xf32>
    %141 = stablehlo.dot_general %140, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x16xf32>) -> tensor<8x8x16xf32>
    %142 = stablehlo.tanh %141 : tensor<8x8x16xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %144 = stablehlo.subtract %143, %142 : tensor<8x8x16xf32>
    %145 = stablehlo.dot_general %142, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
    %146 = stablehlo.add %140, %145 : tensor<8x8x8xf32>
    %147 = stablehlo.multiply %146, %146 : tensor<8x8x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_25 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<8x8x1xf32>
    %cst_26 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<8x8x1xf32>
    %154 = stablehlo.rsqrt %153 : tensor<8x8x1xf32>
    %155 = stablehlo.divide %154, %153 : tensor<8x8x1xf32>
    %cst_27 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %157 = stablehlo.multiply %156, %155 : tensor<8x8x1xf32>
    %158 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %159 = stablehlo.multiply %146, %158 : tensor<8x8x8xf32>
    %160 = stablehlo.dot_general %159, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4x4xf32>
    %161 = stablehlo.iota dim = 0 : tensor<8xi32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %163 = stablehlo.iota dim = 0 : tensor<2xi32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %165 = stablehlo.convert %164 : (tensor<1x2xi32>) -> tensor<1x2xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %167 = stablehlo.multiply %165, %166 : tensor<1x2xf32>
    %cst_29 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %169 = stablehlo.divide %167, %168 : tensor<1x2xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %171 = stablehlo.power %170, %169 : tensor<1x2xf32>
    %172 = stablehlo.convert %162 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %174 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %175 = stablehlo.multiply %173, %174 : tensor<8x2xf32>
    %176 = stablehlo.cosine %175 : tensor<8x2xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %178 = stablehlo.sine %175 : tensor<8x2xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %180 = stablehlo.slice %160 [0:8, 0:8, 0:4, 0:2] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %181 = stablehlo.slice %160 [0:8, 0:8, 0:4, 2:4] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %182 = stablehlo.convert %177 : tensor<1x8x1x2xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %184 = stablehlo.multiply %180, %183 : tensor<8x8x4x2xf32>
    %185 = stablehlo.convert %179 : tensor<1x8x1x2xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %187 = stablehlo.multiply %181, %186 : tensor<8x8x4x2xf32>
    %188 = stablehlo.subtract %184, %187 : tensor<8x8x4x2xf32>
    %189 = stablehlo.convert %179 : tensor<1x8x1x2xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %191 = stablehlo.multiply %180, %190 : tensor<8x8x4x2xf32>
    %192 = stablehlo.convert %177 : tensor<1x8x1x2xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %194 = stablehlo.multiply %181, %193 : tensor<8x8x4x2xf32>
    %195 = stablehlo.add %191, %194 : tensor<8x8x4x2xf32>
    %196 = stablehlo.concatenate %188, %195, dim = 3 : (tensor<8x8x4x2xf32>, tensor<8x8x4x2xf32>) -> tensor<8x8x4x4xf32>
    %197 = stablehlo.reshape %196 : (tensor<8x8x4x4xf32>) -> tensor<8x8x2x2x4xf32>
    %198 = stablehlo.dot_general %159, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x2x4xf32>) -> tensor<8x8x2x4xf32>
    %199 = stablehlo.iota dim = 0 : tensor<8xi32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %201 = stablehlo.iota dim = 0 : tensor<2xi32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %203 = stablehlo.convert %202 : (tensor<1x2xi32>) -> tensor<1x2xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %205 = stablehlo.multiply %203, %204 : tensor<1x2xf32>
    %cst_32 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %207 = stablehlo.divide %205, %206 : tensor<1x2xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %209 = stablehlo.power %208, %207 : tensor<1x2xf32>
    %210 = stablehlo.convert %200 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %212 = stablehlo.broadcast_in_dim %209, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<8x2xf32>
    %214 = stablehlo.cosine %213 : tensor<8x2xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %216 = stablehlo.sine %213 : tensor<8x2xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [1, 3] : (tensor<8x2xf32>) -> tensor<1x8x1x2xf32>
    %218 = stablehlo.slice %198 [0:8, 0:8, 0:2, 0:2] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %219 = stablehlo.slice %198 [0:8, 0:8, 0:2, 2:4] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %220 = stablehlo.convert %215 : tensor<1x8x1x2xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %222 = stablehlo.multiply %218, %221 : tensor<8x8x2x2xf32>
    %223 = stablehlo.convert %217 : tensor<1x8x1x2xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %225 = stablehlo.multiply %219, %224 : tensor<8x8x2x2xf32>
    %226 = stablehlo.subtract %222, %225 : tensor<8x8x2x2xf32>
    %227 = stablehlo.convert %217 : tensor<1x8x1x2xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %229 = stablehlo.multiply %218, %228 : tensor<8x8x2x2xf32>
    %230 = stablehlo.convert %215 : tensor<1x8x1x2xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %232 = stablehlo.multiply %219, %231 : tensor<8x8x2x2xf32>
    %233 = stablehlo.add %229, %232 : tensor<8x8x2x2xf32>
    %234 = stablehlo.concatenate %226, %233, dim = 3 : (tensor<8x8x2x2xf32>, tensor<8x8x2x2xf32>) -> tensor<8x8x2x4xf32>
    %235 = stablehlo.dot_general %159, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x2x4xf32>) -> tensor<8x8x2x4xf32>
    %236 = stablehlo.dot_general %234, %197, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x2x2x4xf32>) -> tensor<8x2x8x8x2xf32>
    %237 = stablehlo.transpose %236, dims = [0, 1, 4, 3, 2] : (tensor<8x2x8x8x2xf32>) -> tensor<8x2x2x8x8xf32>
    %cst_34 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %239 = stablehlo.divide %237, %238 : tensor<8x2x2x8x8xf32>
    %c_35 = stablehlo.constant dense<true> : tensor<i1>
    %240 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %241 = call @tril(%240) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_36 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %242:3 = call @_where(%241, %239, %cst_36) : (tensor<8x8xi1>, tensor<8x2x2x8x8xf32>, tensor<f32>) -> (tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>)
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %243 = stablehlo.reduce(%242#0 init: %cst_37) applies stablehlo.maximum across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %244 = stablehlo.reshape %243 : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %246 = stablehlo.compare EQ, %242#0, %245, FLOAT : (tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x2x8x8xi1>
    %247 = stablehlo.convert %246 : (tensor<8x2x2x8x8xi1>) -> tensor<8x2x2x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%247 init: %cst_38) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_39 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %250 = stablehlo.maximum %249, %243 : tensor<8x2x2x8xf32>
    %251 = stablehlo.compare EQ, %243, %250, FLOAT : (tensor<8x2x2x8xf32>, tensor<8x2x2x8xf32>) -> tensor<8x2x2x8xi1>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %254 = stablehlo.select %251, %252, %253 : tensor<8x2x2x8xi1>, tensor<8x2x2x8xf32>
    %cst_42 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %256 = stablehlo.compare EQ, %255, %250, FLOAT : (tensor<8x2x2x8xf32>, tensor<8x2x2x8xf32>) -> tensor<8x2x2x8xi1>
    %cst_43 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %259 = stablehlo.select %256, %257, %258 : tensor<8x2x2x8xi1>, tensor<8x2x2x8xf32>
    %260 = stablehlo.divide %254, %259 : tensor<8x2x2x8xf32>
    %261 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %263 = stablehlo.subtract %242#0, %262 : tensor<8x2x2x8x8xf32>
    %264 = stablehlo.exponential %263 : tensor<8x2x2x8x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.reduce(%264 init: %cst_45) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %268 = stablehlo.divide %264, %267 : tensor<8x2x2x8x8xf32>
    %269 = stablehlo.multiply %266, %266 : tensor<8x2x2x8x1xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x1xf32>
    %271 = stablehlo.divide %270, %269 : tensor<8x2x2x8x1xf32>
    %272 = stablehlo.dot_general %235, %268, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x4x2x8xf32>
    %273 = stablehlo.transpose %272, dims = [0, 4, 1, 3, 2] : (tensor<8x2x4x2x8xf32>) -> tensor<8x8x2x2x4xf32>
    %274 = stablehlo.reshape %273 : (tensor<8x8x2x2x4xf32>) -> tensor<8x8x4x4xf32>
    %275 = stablehlo.dot_general %274, %arg10, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<4x4x8xf32>) -> tensor<8x8x8xf32>
    %276 = stablehlo.add %146, %275 : tensor<8x8x8xf32>
    %277 = stablehlo.dot_general %276, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x16xf32>) -> tensor<8x8x16xf32>
    %278 = stablehlo.tanh %277 : tensor<8x8x16xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %280 = stablehlo.subtract %279, %278 : tensor<8x8x16xf32>
    %281 = stablehlo.dot_general %278, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
    %282 = stablehlo.add %276, %281 : tensor<8x8x8xf32>
    %283 = stablehlo.multiply %282, %282 : tensor<8x8x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %284 = stablehlo.reduce(%283 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_49 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %287 = stablehlo.divide %285, %286 : tensor<8x8x1xf32>
    %cst_50 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %289 = stablehlo.add %287, %288 : tensor<8x8x1xf32>
    %290 = stablehlo.rsqrt %289 : tensor<8x8x1xf32>
    %291 = stablehlo.divide %290, %289 : tensor<8x8x1xf32>
    %cst_51 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %293 = stablehlo.multiply %292, %291 : tensor<8x8x1xf32>
    %294 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %295 = stablehlo.multiply %282, %294 : tensor<8x8x8xf32>
    %296 = stablehlo.dot_general %295, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x10xf32>) -> tensor<8x8x10xf32>
    %297 = stablehlo.slice %arg30 [0:8, 1:9] : (tensor<8x9xi32>) -> tensor<8x8xi32>
    %cst_52 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %298 = stablehlo.reduce(%296 init: %cst_52) applies stablehlo.maximum across dimensions = [2] : (tensor<8x8x10xf32>, tensor<f32>) -> tensor<8x8xf32>
    %299 = stablehlo.reshape %298 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x10xf32>
    %301 = stablehlo.compare EQ, %296, %300, FLOAT : (tensor<8x8x10xf32>, tensor<8x8x10xf32>) -> tensor<8x8x10xi1>
    %302 = stablehlo.convert %301 : (tensor<8x8x10xi1>) -> tensor<8x8x10xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %303 = stablehlo.reduce(%302 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<8x8x10xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_54 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %305 = stablehlo.maximum %304, %298 : tensor<8x8xf32>
    %306 = stablehlo.compare EQ, %298, %305, FLOAT : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %309 = stablehlo.select %306, %307, %308 : tensor<8x8xi1>, tensor<8x8xf32>
    %cst_57 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %311 = stablehlo.compare EQ, %310, %305, FLOAT : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %cst_58 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %314 = stablehlo.select %311, %312, %313 : tensor<8x8xi1>, tensor<8x8xf32>
    %315 = stablehlo.divide %309, %314 : tensor<8x8xf32>
    %316 = stablehlo.is_finite %305 : (tensor<8x8xf32>) -> tensor<8x8xi1>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %318 = stablehlo.select %316, %305, %317 : tensor<8x8xi1>, tensor<8x8xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %320 = stablehlo.broadcast_in_dim %318, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x10xf32>
    %322 = stablehlo.subtract %296, %321 : tensor<8x8x10xf32>
    %323 = stablehlo.exponential %322 : tensor<8x8x10xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %324 = stablehlo.reduce(%323 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<8x8x10xf32>, tensor<f32>) -> tensor<8x8xf32>
    %325 = stablehlo.sign %324 : tensor<8x8xf32>
    %326 = stablehlo.abs %324 : tensor<8x8xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %328 = stablehlo.compare GE, %324, %327, FLOAT : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %329 = stablehlo.log %326 : tensor<8x8xf32>
    %330 = stablehlo.add %329, %318 : tensor<8x8xf32>
    %331 = call @_one_hot(%297) : (tensor<8x8xi32>) -> tensor<8x8x10xf32>
    %332 = stablehlo.multiply %296, %331 : tensor<8x8x10xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %333 = stablehlo.reduce(%332 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<8x8x10xf32>, tensor<f32>) -> tensor<8x8xf32>
    %334 = stablehlo.subtract %330, %333 : tensor<8x8xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.reduce(%334 init: %cst_65) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_66 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %336 = stablehlo.divide %335, %cst_66 : tensor<f32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_68 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %337 = stablehlo.divide %cst_67, %cst_68 : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %337, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %339 = stablehlo.negate %338 : tensor<8x8xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x10xf32>
    %341 = stablehlo.multiply %340, %331 : tensor<8x8x10xf32>
    %342 = stablehlo.divide %338, %326 : tensor<8x8xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %344 = stablehlo.select %328, %343, %342 : tensor<8x8xi1>, tensor<8x8xf32>
    %345 = stablehlo.select %328, %342, %343 : tensor<8x8xi1>, tensor<8x8xf32>
    %346 = stablehlo.negate %344 : tensor<8x8xf32>
    %347 = stablehlo.add %345, %346 : tensor<8x8xf32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x10xf32>
    %349 = stablehlo.multiply %348, %323 : tensor<8x8x10xf32>
    %350 = stablehlo.add %341, %349 : tensor<8x8x10xf32>
    %351 = stablehlo.dot_general %350, %295, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<8x8x8xf32>) -> tensor<10x8xf32>
    %352 = stablehlo.transpose %351, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %353 = stablehlo.dot_general %350, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<8x10xf32>) -> tensor<8x8x8xf32>
    %354 = stablehlo.multiply %282, %353 : tensor<8x8x8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %355 = stablehlo.reduce(%354 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %356 = stablehlo.reshape %355 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %357 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %358 = stablehlo.multiply %353, %357 : tensor<8x8x8xf32>
    %359 = stablehlo.multiply %356, %293 : tensor<8x8x1xf32>
    %cst_71 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %360 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %361 = stablehlo.divide %359, %360 : tensor<8x8x1xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.reduce(%361 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
    %364 = stablehlo.multiply %282, %363 : tensor<8x8x8xf32>
    %365 = stablehlo.add %358, %364 : tensor<8x8x8xf32>
    %366 = stablehlo.multiply %363, %282 : tensor<8x8x8xf32>
    %367 = stablehlo.add %365, %366 : tensor<8x8x8xf32>
    %368 = stablehlo.dot_general %367, %278, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x16xf32>
    %369 = stablehlo.transpose %368, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %370 = stablehlo.dot_general %367, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x16xf32>
    %371 = stablehlo.multiply %370, %280 : tensor<8x8x16xf32>
    %372 = stablehlo.multiply %371, %278 : tensor<8x8x16xf32>
    %373 = stablehlo.add %371, %372 : tensor<8x8x16xf32>
    %374 = stablehlo.dot_general %373, %276, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
    %375 = stablehlo.transpose %374, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %376 = stablehlo.dot_general %373, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x16xf32>) -> tensor<8x8x8xf32>
    %377 = stablehlo.add %367, %376 : tensor<8x8x8xf32>
    %378 = stablehlo.dot_general %377, %274, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x4x4xf32>) -> tensor<8x4x4xf32>
    %379 = stablehlo.transpose %378, dims = [1, 2, 0] : (tensor<8x4x4xf32>) -> tensor<4x4x8xf32>
    %380 = stablehlo.dot_general %377, %arg10, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<4x4x8xf32>) -> tensor<8x8x4x4xf32>
    %381 = stablehlo.reshape %380 : (tensor<8x8x4x4xf32>) -> tensor<8x8x2x2x4xf32>
    %382 = stablehlo.transpose %381, dims = [0, 2, 4, 3, 1] : (tensor<8x8x2x2x4xf32>) -> tensor<8x2x4x2x8xf32>
    %383 = stablehlo.dot_general %382, %235, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x2x8xf32>, tensor<8x8x2x4xf32>) -> tensor<8x2x2x8x8xf32>
    %384 = stablehlo.dot_general %382, %268, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x2x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x4x8xf32>
    %385 = stablehlo.transpose %384, dims = [0, 3, 1, 2] : (tensor<8x2x4x8xf32>) -> tensor<8x8x2x4xf32>
    %386 = stablehlo.broadcast_in_dim %271, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %387 = stablehlo.multiply %383, %386 : tensor<8x2x2x8x8xf32>
    %388 = stablehlo.multiply %387, %264 : tensor<8x2x2x8x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %389 = stablehlo.reduce(%388 init: %cst_73) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %390 = stablehlo.reshape %389 : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %391 = stablehlo.negate %390 : tensor<8x2x2x8x1xf32>
    %392 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %393 = stablehlo.divide %383, %392 : tensor<8x2x2x8x8xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %394 = stablehlo.reduce(%391 init: %cst_74) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x1xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %395 = stablehlo.broadcast_in_dim %394, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x8xf32>
    %396 = stablehlo.add %393, %395 : tensor<8x2x2x8x8xf32>
    %397 = stablehlo.multiply %396, %264 : tensor<8x2x2x8x8xf32>
    %398 = call @_where_0(%242#1, %242#2, %397) : (tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x2x8x8xf32>
    %cst_75 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %399 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %400 = stablehlo.divide %398, %399 : tensor<8x2x2x8x8xf32>
    %401 = stablehlo.transpose %400, dims = [0, 1, 4, 3, 2] : (tensor<8x2x2x8x8xf32>) -> tensor<8x2x8x8x2xf32>
    %402 = stablehlo.dot_general %401, %234, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x8x2xf32>, tensor<8x8x2x4xf32>) -> tensor<8x2x8x2x4xf32>
    %403 = stablehlo.transpose %402, dims = [0, 2, 1, 3, 4] : (tensor<8x2x8x2x4xf32>) -> tensor<8x8x2x2x4xf32>
    %404 = stablehlo.dot_general %401, %197, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x8x2xf32>, tensor<8x8x2x2x4xf32>) -> tensor<8x2x8x4xf32>
    %405 = stablehlo.transpose %404, dims = [0, 2, 1, 3] : (tensor<8x2x8x4xf32>) -> tensor<8x8x2x4xf32>
    %406 = stablehlo.dot_general %385, %159, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x8xf32>) -> tensor<2x4x8xf32>
    %407 = stablehlo.transpose %406, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %408 = stablehlo.dot_general %385, %arg12, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x8x8xf32>
    %409 = stablehlo.slice %405 [0:8, 0:8, 0:2, 0:2] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %410 = stablehlo.slice %405 [0:8, 0:8, 0:2, 2:4] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %411 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %412 = stablehlo.multiply %410, %411 : tensor<8x8x2x2xf32>
    %413 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %414 = stablehlo.multiply %410, %413 : tensor<8x8x2x2xf32>
    %415 = stablehlo.negate %409 : tensor<8x8x2x2xf32>
    %416 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %417 = stablehlo.multiply %415, %416 : tensor<8x8x2x2xf32>
    %418 = stablehlo.add %412, %417 : tensor<8x8x2x2xf32>
    %419 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %420 = stablehlo.multiply %409, %419 : tensor<8x8x2x2xf32>
    %421 = stablehlo.add %414, %420 : tensor<8x8x2x2xf32>
    %422 = stablehlo.concatenate %421, %418, dim = 3 : (tensor<8x8x2x2xf32>, tensor<8x8x2x2xf32>) -> tensor<8x8x2x4xf32>
    %423 = stablehlo.dot_general %422, %159, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x8xf32>) -> tensor<2x4x8xf32>
    %424 = stablehlo.transpose %423, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %425 = stablehlo.dot_general %422, %arg7, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x8x8xf32>
    %426 = stablehlo.add %408, %425 : tensor<8x8x8xf32>
    %427 = stablehlo.reshape %403 : (tensor<8x8x2x2x4xf32>) -> tensor<8x8x4x4xf32>
    %428 = stablehlo.slice %427 [0:8, 0:8, 0:4, 0:2] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %429 = stablehlo.slice %427 [0:8, 0:8, 0:4, 2:4] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %430 = stablehlo.broadcast_in_dim %192, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %431 = stablehlo.multiply %429, %430 : tensor<8x8x4x2xf32>
    %432 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %433 = stablehlo.multiply %429, %432 : tensor<8x8x4x2xf32>
    %434 = stablehlo.negate %428 : tensor<8x8x4x2xf32>
    %435 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %436 = stablehlo.multiply %434, %435 : tensor<8x8x4x2xf32>
    %437 = stablehlo.add %431, %436 : tensor<8x8x4x2xf32>
    %438 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %439 = stablehlo.multiply %428, %438 : tensor<8x8x4x2xf32>
    %440 = stablehlo.add %433, %439 : tensor<8x8x4x2xf32>
    %441 = stablehlo.concatenate %440, %437, dim = 3 : (tensor<8x8x4x2xf32>, tensor<8x8x4x2xf32>) -> tensor<8x8x4x4xf32>
    %442 = stablehlo.dot_general %441, %159, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<8x8x8xf32>) -> tensor<4x4x8xf32>
    %443 = stablehlo.transpose %442, dims = [2, 0, 1] : (tensor<4x4x8xf32>) -> tensor<8x4x4xf32>
    %444 = stablehlo.dot_general %441, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x8x8xf32>
    %445 = stablehlo.add %426, %444 : tensor<8x8x8xf32>
    %446 = stablehlo.multiply %146, %445 : tensor<8x8x8xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %447 = stablehlo.reduce(%446 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %448 = stablehlo.reshape %447 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %449 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %450 = stablehlo.multiply %445, %449 : tensor<8x8x8xf32>
    %451 = stablehlo.add %377, %450 : tensor<8x8x8xf32>
    %452 = stablehlo.multiply %448, %157 : tensor<8x8x1xf32>
    %cst_77 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %454 = stablehlo.divide %452, %453 : tensor<8x8x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %455 = stablehlo.reduce(%454 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %456 = stablehlo.broadcast_in_dim %455, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
    %457 = stablehlo.multiply %146, %456 : tensor<8x8x8xf32>
    %458 = stablehlo.add %451, %457 : tensor<8x8x8xf32>
    %459 = stablehlo.multiply %456, %146 : tensor<8x8x8xf32>
    %460 = stablehlo.add %458, %459 : tensor<8x8x8xf32>
    %461 = stablehlo.dot_general %460, %142, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x16xf32>
    %462 = stablehlo.transpose %461, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %463 = stablehlo.dot_general %460, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x16xf32>
    %464 = stablehlo.multiply %463, %144 : tensor<8x8x16xf32>
    %465 = stablehlo.multiply %464, %142 : tensor<8x8x16xf32>
    %466 = stablehlo.add %464, %465 : tensor<8x8x16xf32>
    %467 = stablehlo.dot_general %466, %140, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
    %468 = stablehlo.transpose %467, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %469 = stablehlo.dot_general %466, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x16xf32>) -> tensor<8x8x8xf32>
    %470 = stablehlo.add %460, %469 : tensor<8x8x8xf32>
    %471 = stablehlo.dot_general %470, %138, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x4x4xf32>) -> tensor<8x4x4xf32>
    %472 = stablehlo.transpose %471, dims = [1, 2, 0] : (tensor<8x4x4xf32>) -> tensor<4x4x8xf32>
    %473 = stablehlo.dot_general %470, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<4x4x8xf32>) -> tensor<8x8x4x4xf32>
    %474 = stablehlo.reshape %473 : (tensor<8x8x4x4xf32>) -> tensor<8x8x2x2x4xf32>
    %475 = stablehlo.transpose %474, dims = [0, 2, 4, 3, 1] : (tensor<8x8x2x2x4xf32>) -> tensor<8x2x4x2x8xf32>
    %476 = stablehlo.dot_general %475, %99, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x2x8xf32>, tensor<8x8x2x4xf32>) -> tensor<8x2x2x8x8xf32>
    %477 = stablehlo.dot_general %475, %132, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x4x2x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x4x8xf32>
    %478 = stablehlo.transpose %477, dims = [0, 3, 1, 2] : (tensor<8x2x4x8xf32>) -> tensor<8x8x2x4xf32>
    %479 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %480 = stablehlo.multiply %476, %479 : tensor<8x2x2x8x8xf32>
    %481 = stablehlo.multiply %480, %128 : tensor<8x2x2x8x8xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %482 = stablehlo.reduce(%481 init: %cst_79) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x8xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %483 = stablehlo.reshape %482 : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x1xf32>
    %484 = stablehlo.negate %483 : tensor<8x2x2x8x1xf32>
    %485 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2, 3, 4] : (tensor<8x2x2x8x1xf32>) -> tensor<8x2x2x8x8xf32>
    %486 = stablehlo.divide %476, %485 : tensor<8x2x2x8x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %487 = stablehlo.reduce(%484 init: %cst_80) applies stablehlo.add across dimensions = [4] : (tensor<8x2x2x8x1xf32>, tensor<f32>) -> tensor<8x2x2x8xf32>
    %488 = stablehlo.broadcast_in_dim %487, dims = [0, 1, 2, 3] : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x8xf32>
    %489 = stablehlo.add %486, %488 : tensor<8x2x2x8x8xf32>
    %490 = stablehlo.multiply %489, %128 : tensor<8x2x2x8x8xf32>
    %491 = call @_where_0(%106#1, %106#2, %490) : (tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xf32>) -> tensor<8x2x2x8x8xf32>
    %cst_81 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %493 = stablehlo.divide %491, %492 : tensor<8x2x2x8x8xf32>
    %494 = stablehlo.transpose %493, dims = [0, 1, 4, 3, 2] : (tensor<8x2x2x8x8xf32>) -> tensor<8x2x8x8x2xf32>
    %495 = stablehlo.dot_general %494, %98, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x8x2xf32>, tensor<8x8x2x4xf32>) -> tensor<8x2x8x2x4xf32>
    %496 = stablehlo.transpose %495, dims = [0, 2, 1, 3, 4] : (tensor<8x2x8x2x4xf32>) -> tensor<8x8x2x2x4xf32>
    %497 = stablehlo.dot_general %494, %61, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x8x2xf32>, tensor<8x8x2x2x4xf32>) -> tensor<8x2x8x4xf32>
    %498 = stablehlo.transpose %497, dims = [0, 2, 1, 3] : (tensor<8x2x8x4xf32>) -> tensor<8x8x2x4xf32>
    %499 = stablehlo.dot_general %478, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x8xf32>) -> tensor<2x4x8xf32>
    %500 = stablehlo.transpose %499, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %501 = stablehlo.dot_general %478, %arg6, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x8x8xf32>
    %502 = stablehlo.slice %498 [0:8, 0:8, 0:2, 0:2] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %503 = stablehlo.slice %498 [0:8, 0:8, 0:2, 2:4] : (tensor<8x8x2x4xf32>) -> tensor<8x8x2x2xf32>
    %504 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %505 = stablehlo.multiply %503, %504 : tensor<8x8x2x2xf32>
    %506 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %507 = stablehlo.multiply %503, %506 : tensor<8x8x2x2xf32>
    %508 = stablehlo.negate %502 : tensor<8x8x2x2xf32>
    %509 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %510 = stablehlo.multiply %508, %509 : tensor<8x8x2x2xf32>
    %511 = stablehlo.add %505, %510 : tensor<8x8x2x2xf32>
    %512 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x2x2xf32>
    %513 = stablehlo.multiply %502, %512 : tensor<8x8x2x2xf32>
    %514 = stablehlo.add %507, %513 : tensor<8x8x2x2xf32>
    %515 = stablehlo.concatenate %514, %511, dim = 3 : (tensor<8x8x2x2xf32>, tensor<8x8x2x2xf32>) -> tensor<8x8x2x4xf32>
    %516 = stablehlo.dot_general %515, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x8x8xf32>) -> tensor<2x4x8xf32>
    %517 = stablehlo.transpose %516, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %518 = stablehlo.dot_general %515, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x8x8xf32>
    %519 = stablehlo.add %501, %518 : tensor<8x8x8xf32>
    %520 = stablehlo.reshape %496 : (tensor<8x8x2x2x4xf32>) -> tensor<8x8x4x4xf32>
    %521 = stablehlo.slice %520 [0:8, 0:8, 0:4, 0:2] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %522 = stablehlo.slice %520 [0:8, 0:8, 0:4, 2:4] : (tensor<8x8x4x4xf32>) -> tensor<8x8x4x2xf32>
    %523 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %524 = stablehlo.multiply %522, %523 : tensor<8x8x4x2xf32>
    %525 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %526 = stablehlo.multiply %522, %525 : tensor<8x8x4x2xf32>
    %527 = stablehlo.negate %521 : tensor<8x8x4x2xf32>
    %528 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %529 = stablehlo.multiply %527, %528 : tensor<8x8x4x2xf32>
    %530 = stablehlo.add %524, %529 : tensor<8x8x4x2xf32>
    %531 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<8x8x4x2xf32>
    %532 = stablehlo.multiply %521, %531 : tensor<8x8x4x2xf32>
    %533 = stablehlo.add %526, %532 : tensor<8x8x4x2xf32>
    %534 = stablehlo.concatenate %533, %530, dim = 3 : (tensor<8x8x4x2xf32>, tensor<8x8x4x2xf32>) -> tensor<8x8x4x4xf32>
    %535 = stablehlo.dot_general %534, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<8x8x8xf32>) -> tensor<4x4x8xf32>
    %536 = stablehlo.transpose %535, dims = [2, 0, 1] : (tensor<4x4x8xf32>) -> tensor<8x4x4xf32>
    %537 = stablehlo.dot_general %534, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x8x8xf32>
    %538 = stablehlo.add %519, %537 : tensor<8x8x8xf32>
    %539 = stablehlo.multiply %10, %538 : tensor<8x8x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %540 = stablehlo.reduce(%539 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %541 = stablehlo.reshape %540 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %542 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x8xf32>
    %543 = stablehlo.multiply %538, %542 : tensor<8x8x8xf32>
    %544 = stablehlo.add %470, %543 : tensor<8x8x8xf32>
    %545 = stablehlo.multiply %541, %21 : tensor<8x8x1xf32>
    %cst_83 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %547 = stablehlo.divide %545, %546 : tensor<8x8x1xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %548 = stablehlo.reduce(%547 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %549 = stablehlo.broadcast_in_dim %548, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
    %550 = stablehlo.multiply %10, %549 : tensor<8x8x8xf32>
    %551 = stablehlo.add %544, %550 : tensor<8x8x8xf32>
    %552 = stablehlo.multiply %549, %10 : tensor<8x8x8xf32>
    %553 = stablehlo.add %551, %552 : tensor<8x8x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %554 = stablehlo.reduce(%553 init: %cst_85) applies stablehlo.add across dimensions = [0] : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %555 = stablehlo.reshape %554 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %556 = stablehlo.reduce(%555 init: %cst_86) applies stablehlo.add across dimensions = [0] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %558 = "stablehlo.scatter"(%557, %6, %553) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %740 = stablehlo.add %arg31, %arg32 : tensor<f32>
      stablehlo.return %740 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x8x1xi32>, tensor<8x8x8xf32>) -> tensor<10x8xf32>
    %559 = stablehlo.multiply %352, %352 : tensor<8x10xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %560 = stablehlo.reduce(%559 init: %cst_88) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<f32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.add %cst_89, %560 : tensor<f32>
    %562 = stablehlo.multiply %517, %517 : tensor<8x2x4xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %563 = stablehlo.reduce(%562 init: %cst_90) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %564 = stablehlo.add %561, %563 : tensor<f32>
    %565 = stablehlo.multiply %468, %468 : tensor<8x16xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %566 = stablehlo.reduce(%565 init: %cst_91) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %567 = stablehlo.add %564, %566 : tensor<f32>
    %568 = stablehlo.multiply %462, %462 : tensor<16x8xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %569 = stablehlo.reduce(%568 init: %cst_92) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %570 = stablehlo.add %567, %569 : tensor<f32>
    %571 = stablehlo.multiply %472, %472 : tensor<4x4x8xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %572 = stablehlo.reduce(%571 init: %cst_93) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<f32>
    %573 = stablehlo.add %570, %572 : tensor<f32>
    %574 = stablehlo.multiply %536, %536 : tensor<8x4x4xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %575 = stablehlo.reduce(%574 init: %cst_94) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<f32>
    %576 = stablehlo.add %573, %575 : tensor<f32>
    %577 = stablehlo.multiply %500, %500 : tensor<8x2x4xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %578 = stablehlo.reduce(%577 init: %cst_95) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %579 = stablehlo.add %576, %578 : tensor<f32>
    %580 = stablehlo.multiply %424, %424 : tensor<8x2x4xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %581 = stablehlo.reduce(%580 init: %cst_96) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %582 = stablehlo.add %579, %581 : tensor<f32>
    %583 = stablehlo.multiply %375, %375 : tensor<8x16xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %584 = stablehlo.reduce(%583 init: %cst_97) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %585 = stablehlo.add %582, %584 : tensor<f32>
    %586 = stablehlo.multiply %369, %369 : tensor<16x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %587 = stablehlo.reduce(%586 init: %cst_98) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %588 = stablehlo.add %585, %587 : tensor<f32>
    %589 = stablehlo.multiply %379, %379 : tensor<4x4x8xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %590 = stablehlo.reduce(%589 init: %cst_99) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<f32>
    %591 = stablehlo.add %588, %590 : tensor<f32>
    %592 = stablehlo.multiply %443, %443 : tensor<8x4x4xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %593 = stablehlo.reduce(%592 init: %cst_100) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<f32>
    %594 = stablehlo.add %591, %593 : tensor<f32>
    %595 = stablehlo.multiply %407, %407 : tensor<8x2x4xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %596 = stablehlo.reduce(%595 init: %cst_101) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %597 = stablehlo.add %594, %596 : tensor<f32>
    %598 = stablehlo.multiply %556, %556 : tensor<8x8xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %599 = stablehlo.reduce(%598 init: %cst_102) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %600 = stablehlo.add %597, %599 : tensor<f32>
    %601 = stablehlo.multiply %558, %558 : tensor<10x8xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %602 = stablehlo.reduce(%601 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x8xf32>, tensor<f32>) -> tensor<f32>
    %603 = stablehlo.add %600, %602 : tensor<f32>
    %604 = stablehlo.sqrt %603 : tensor<f32>
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %605 = stablehlo.maximum %604, %cst_104 : tensor<f32>
    %606 = stablehlo.broadcast_in_dim %605, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %607 = stablehlo.divide %352, %606 : tensor<8x10xf32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %608 = stablehlo.maximum %604, %cst_105 : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %608, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %610 = stablehlo.divide %517, %609 : tensor<8x2x4xf32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %611 = stablehlo.maximum %604, %cst_106 : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %611, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %613 = stablehlo.divide %468, %612 : tensor<8x16xf32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %614 = stablehlo.maximum %604, %cst_107 : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %614, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %616 = stablehlo.divide %462, %615 : tensor<16x8xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %617 = stablehlo.maximum %604, %cst_108 : tensor<f32>
    %618 = stablehlo.broadcast_in_dim %617, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %619 = stablehlo.divide %472, %618 : tensor<4x4x8xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %620 = stablehlo.maximum %604, %cst_109 : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %620, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %622 = stablehlo.divide %536, %621 : tensor<8x4x4xf32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %623 = stablehlo.maximum %604, %cst_110 : tensor<f32>
    %624 = stablehlo.broadcast_in_dim %623, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %625 = stablehlo.divide %500, %624 : tensor<8x2x4xf32>
    %cst_111 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %626 = stablehlo.maximum %604, %cst_111 : tensor<f32>
    %627 = stablehlo.broadcast_in_dim %626, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %628 = stablehlo.divide %424, %627 : tensor<8x2x4xf32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %629 = stablehlo.maximum %604, %cst_112 : tensor<f32>
    %630 = stablehlo.broadcast_in_dim %629, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %631 = stablehlo.divide %375, %630 : tensor<8x16xf32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %632 = stablehlo.maximum %604, %cst_113 : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %632, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %634 = stablehlo.divide %369, %633 : tensor<16x8xf32>
    %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %635 = stablehlo.maximum %604, %cst_114 : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %635, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %637 = stablehlo.divide %379, %636 : tensor<4x4x8xf32>
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %638 = stablehlo.maximum %604, %cst_115 : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %638, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %640 = stablehlo.divide %443, %639 : tensor<8x4x4xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %641 = stablehlo.maximum %604, %cst_116 : tensor<f32>
    %642 = stablehlo.broadcast_in_dim %641, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %643 = stablehlo.divide %407, %642 : tensor<8x2x4xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %644 = stablehlo.maximum %604, %cst_117 : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %644, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %646 = stablehlo.divide %556, %645 : tensor<8x8xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %647 = stablehlo.maximum %604, %cst_118 : tensor<f32>
    %648 = stablehlo.broadcast_in_dim %647, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %649 = stablehlo.divide %558, %648 : tensor<10x8xf32>
    %cst_119 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %651 = stablehlo.multiply %650, %arg15 : tensor<8x10xf32>
    %652 = stablehlo.add %651, %607 : tensor<8x10xf32>
    %cst_120 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %653 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %654 = stablehlo.multiply %653, %arg16 : tensor<8x2x4xf32>
    %655 = stablehlo.add %654, %610 : tensor<8x2x4xf32>
    %cst_121 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %657 = stablehlo.multiply %656, %arg17 : tensor<8x16xf32>
    %658 = stablehlo.add %657, %613 : tensor<8x16xf32>
    %cst_122 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %660 = stablehlo.multiply %659, %arg18 : tensor<16x8xf32>
    %661 = stablehlo.add %660, %616 : tensor<16x8xf32>
    %cst_123 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %662 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %663 = stablehlo.multiply %662, %arg19 : tensor<4x4x8xf32>
    %664 = stablehlo.add %663, %619 : tensor<4x4x8xf32>
    %cst_124 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %665 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %666 = stablehlo.multiply %665, %arg20 : tensor<8x4x4xf32>
    %667 = stablehlo.add %666, %622 : tensor<8x4x4xf32>
    %cst_125 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %668 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %669 = stablehlo.multiply %668, %arg21 : tensor<8x2x4xf32>
    %670 = stablehlo.add %669, %625 : tensor<8x2x4xf32>
    %cst_126 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %672 = stablehlo.multiply %671, %arg22 : tensor<8x2x4xf32>
    %673 = stablehlo.add %672, %628 : tensor<8x2x4xf32>
    %cst_127 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %675 = stablehlo.multiply %674, %arg23 : tensor<8x16xf32>
    %676 = stablehlo.add %675, %631 : tensor<8x16xf32>
    %cst_128 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %677 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %678 = stablehlo.multiply %677, %arg24 : tensor<16x8xf32>
    %679 = stablehlo.add %678, %634 : tensor<16x8xf32>
    %cst_129 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %680 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %681 = stablehlo.multiply %680, %arg25 : tensor<4x4x8xf32>
    %682 = stablehlo.add %681, %637 : tensor<4x4x8xf32>
    %cst_130 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %683 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %684 = stablehlo.multiply %683, %arg26 : tensor<8x4x4xf32>
    %685 = stablehlo.add %684, %640 : tensor<8x4x4xf32>
    %cst_131 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %686 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %687 = stablehlo.multiply %686, %arg27 : tensor<8x2x4xf32>
    %688 = stablehlo.add %687, %643 : tensor<8x2x4xf32>
    %cst_132 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %689 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %690 = stablehlo.multiply %689, %arg28 : tensor<8x8xf32>
    %691 = stablehlo.add %690, %646 : tensor<8x8xf32>
    %cst_133 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %693 = stablehlo.multiply %692, %arg29 : tensor<10x8xf32>
    %694 = stablehlo.add %693, %649 : tensor<10x8xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %695 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %696 = stablehlo.multiply %695, %652 : tensor<8x10xf32>
    %697 = stablehlo.subtract %arg0, %696 : tensor<8x10xf32>
    %cst_135 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %698 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %699 = stablehlo.multiply %698, %655 : tensor<8x2x4xf32>
    %700 = stablehlo.subtract %arg1, %699 : tensor<8x2x4xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %701 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %702 = stablehlo.multiply %701, %658 : tensor<8x16xf32>
    %703 = stablehlo.subtract %arg2, %702 : tensor<8x16xf32>
    %cst_137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %705 = stablehlo.multiply %704, %661 : tensor<16x8xf32>
    %706 = stablehlo.subtract %arg3, %705 : tensor<16x8xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %708 = stablehlo.multiply %707, %664 : tensor<4x4x8xf32>
    %709 = stablehlo.subtract %arg4, %708 : tensor<4x4x8xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %711 = stablehlo.multiply %710, %667 : tensor<8x4x4xf32>
    %712 = stablehlo.subtract %arg5, %711 : tensor<8x4x4xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %713 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %714 = stablehlo.multiply %713, %670 : tensor<8x2x4xf32>
    %715 = stablehlo.subtract %arg6, %714 : tensor<8x2x4xf32>
    %cst_141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %716 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %717 = stablehlo.multiply %716, %673 : tensor<8x2x4xf32>
    %718 = stablehlo.subtract %arg7, %717 : tensor<8x2x4xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %720 = stablehlo.multiply %719, %676 : tensor<8x16xf32>
    %721 = stablehlo.subtract %arg8, %720 : tensor<8x16xf32>
    %cst_143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %723 = stablehlo.multiply %722, %679 : tensor<16x8xf32>
    %724 = stablehlo.subtract %arg9, %723 : tensor<16x8xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %725 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %726 = stablehlo.multiply %725, %682 : tensor<4x4x8xf32>
    %727 = stablehlo.subtract %arg10, %726 : tensor<4x4x8xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %728 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x4x4xf32>
    %729 = stablehlo.multiply %728, %685 : tensor<8x4x4xf32>
    %730 = stablehlo.subtract %arg11, %729 : tensor<8x4x4xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %731 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %732 = stablehlo.multiply %731, %688 : tensor<8x2x4xf32>
    %733 = stablehlo.subtract %arg12, %732 : tensor<8x2x4xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %735 = stablehlo.multiply %734, %691 : tensor<8x8xf32>
    %736 = stablehlo.subtract %arg13, %735 : tensor<8x8xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %737 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %738 = stablehlo.multiply %737, %694 : tensor<10x8xf32>
    %739 = stablehlo.subtract %arg14, %738 : tensor<10x8xf32>
    return %697, %700, %703, %706, %709, %712, %715, %718, %721, %724, %727, %730, %733, %736, %739, %652, %655, %658, %661, %664, %667, %670, %673, %676, %679, %682, %685, %688, %691, %694, %336 : tensor<8x10xf32>, tensor<8x2x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x4x8xf32>, tensor<8x4x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x4x8xf32>, tensor<8x4x4xf32>, tensor<8x2x4xf32>, tensor<8x8xf32>, tensor<10x8xf32>, tensor<8x10xf32>, tensor<8x2x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x4x8xf32>, tensor<8x4x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x4x8xf32>, tensor<8x4x4xf32>, tensor<8x2x4xf32>, tensor<8x8xf32>, tensor<10x8xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<8x2x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<8x8xi1>) -> tensor<8x2x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    return %3, %1, %4 : tensor<8x2x2x8x8xf32>, tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8x8xi32>) -> tensor<8x8x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x8x1xi32>) -> tensor<8x8x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x10xi32>) -> tensor<8x8x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x8x10xi32>, tensor<8x8x10xi32>) -> tensor<8x8x10xi1>
    %5 = stablehlo.convert %4 : (tensor<8x8x10xi1>) -> tensor<8x8x10xf32>
    return %5 : tensor<8x8x10xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x2x2x8x8xi1>, %arg1: tensor<8x2x2x8x8xf32>, %arg2: tensor<8x2x2x8x8xf32>) -> tensor<8x2x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<8x2x2x8x8xi1>, tensor<8x2x2x8x8xf32>
    return %1 : tensor<8x2x2x8x8xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// 2 slices: 0 -> 1: 1 up, 1 down; terapipe agrees
// 4 slices: 0 -> 1: 1 up, 1 down; terapipe agrees
