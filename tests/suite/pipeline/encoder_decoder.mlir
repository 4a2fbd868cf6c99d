// test: pipeline stages=2 microbatches=4 meshes=data=2;model=2
// Every layer of the decoder reads what the encoder made.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x8xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<8x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x8xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<8x16xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<16x8xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<8x8xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<8x8xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<8x8xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<8x10xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<10x8xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<10x8xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<8x8xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<8x8xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<8x8xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<8x16xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<16x8xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<8x8xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<8x8xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<8x8xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<8x8xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<8x8xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<8x8xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<8x16xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<16x8xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<8x8xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<8x8xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<8x8xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<8x16xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<16x8xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<8x8xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<8x8xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<8x8xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<8x16xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<16x8xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<8x8xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<8x8xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<8x8xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<8x10xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<10x8xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<10x8xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<8x4xi32>, %arg59: tensor<8x4xi32>, %arg60: tensor<8x4xi32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['cross']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['cross']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['cross']['v']"}, tensor<8x16xf32> {jax.result_info = "result[0]['decoder'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['decoder'][0]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][0]['own']['v']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['cross']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['cross']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['cross']['v']"}, tensor<8x16xf32> {jax.result_info = "result[0]['decoder'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['decoder'][1]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['decoder'][1]['own']['v']"}, tensor<8x16xf32> {jax.result_info = "result[0]['encoder'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['encoder'][0]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][0]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][0]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][0]['own']['v']"}, tensor<8x16xf32> {jax.result_info = "result[0]['encoder'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['encoder'][1]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][1]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][1]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[0]['encoder'][1]['own']['v']"}, tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<10x8xf32> {jax.result_info = "result[0]['source']"}, tensor<10x8xf32> {jax.result_info = "result[0]['target']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['cross']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['cross']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['cross']['v']"}, tensor<8x16xf32> {jax.result_info = "result[1]['decoder'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['decoder'][0]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][0]['own']['v']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['cross']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['cross']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['cross']['v']"}, tensor<8x16xf32> {jax.result_info = "result[1]['decoder'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['decoder'][1]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['decoder'][1]['own']['v']"}, tensor<8x16xf32> {jax.result_info = "result[1]['encoder'][0]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['encoder'][0]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][0]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][0]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][0]['own']['v']"}, tensor<8x16xf32> {jax.result_info = "result[1]['encoder'][1]['mlp']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['encoder'][1]['mlp']['out']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][1]['own']['k']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][1]['own']['q']"}, tensor<8x8xf32> {jax.result_info = "result[1]['encoder'][1]['own']['v']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<10x8xf32> {jax.result_info = "result[1]['source']"}, tensor<10x8xf32> {jax.result_info = "result[1]['target']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %1 = stablehlo.compare LT, %arg59, %0, SIGNED : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %3 = stablehlo.add %arg59, %2 : tensor<8x4xi32>
    %4 = stablehlo.select %1, %3, %arg59 : tensor<8x4xi1>, tensor<8x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
    %6 = "stablehlo.gather"(%arg27, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x4x1xi32>) -> tensor<8x4x8xf32>
    %7 = stablehlo.dot_general %6, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %8 = stablehlo.dot_general %6, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %10 = stablehlo.dot_general %7, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %14 = stablehlo.compare EQ, %10, %13, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %15 = stablehlo.convert %14 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %18 = stablehlo.maximum %17, %11 : tensor<8x4xf32>
    %19 = stablehlo.compare EQ, %11, %18, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %22 = stablehlo.select %19, %20, %21 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %24 = stablehlo.compare EQ, %23, %18, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %27 = stablehlo.select %24, %25, %26 : tensor<8x4xi1>, tensor<8x4xf32>
    %28 = stablehlo.divide %22, %27 : tensor<8x4xf32>
    %29 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %31 = stablehlo.subtract %10, %30 : tensor<8x4x4xf32>
    %32 = stablehlo.exponential %31 : tensor<8x4x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %36 = stablehlo.divide %32, %35 : tensor<8x4x4xf32>
    %37 = stablehlo.multiply %34, %34 : tensor<8x4x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %39 = stablehlo.divide %38, %37 : tensor<8x4x1xf32>
    %40 = stablehlo.dot_general %6, %arg20, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %41 = stablehlo.dot_general %36, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %42 = stablehlo.add %6, %41 : tensor<8x4x8xf32>
    %43 = stablehlo.dot_general %42, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x16xf32>) -> tensor<8x4x16xf32>
    %44 = stablehlo.tanh %43 : tensor<8x4x16xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %46 = stablehlo.subtract %45, %44 : tensor<8x4x16xf32>
    %47 = stablehlo.dot_general %44, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<16x8xf32>) -> tensor<8x4x8xf32>
    %48 = stablehlo.add %42, %47 : tensor<8x4x8xf32>
    %49 = stablehlo.dot_general %48, %arg24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %50 = stablehlo.dot_general %48, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %52 = stablehlo.dot_general %49, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_11) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %54 = stablehlo.reshape %53 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %56 = stablehlo.compare EQ, %52, %55, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %57 = stablehlo.convert %56 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %60 = stablehlo.maximum %59, %53 : tensor<8x4xf32>
    %61 = stablehlo.compare EQ, %53, %60, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %64 = stablehlo.select %61, %62, %63 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %66 = stablehlo.compare EQ, %65, %60, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %69 = stablehlo.select %66, %67, %68 : tensor<8x4xi1>, tensor<8x4xf32>
    %70 = stablehlo.divide %64, %69 : tensor<8x4xf32>
    %71 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %73 = stablehlo.subtract %52, %72 : tensor<8x4x4xf32>
    %74 = stablehlo.exponential %73 : tensor<8x4x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %78 = stablehlo.divide %74, %77 : tensor<8x4x4xf32>
    %79 = stablehlo.multiply %76, %76 : tensor<8x4x1xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %81 = stablehlo.divide %80, %79 : tensor<8x4x1xf32>
    %82 = stablehlo.dot_general %48, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %83 = stablehlo.dot_general %78, %82, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %84 = stablehlo.add %48, %83 : tensor<8x4x8xf32>
    %85 = stablehlo.dot_general %84, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x16xf32>) -> tensor<8x4x16xf32>
    %86 = stablehlo.tanh %85 : tensor<8x4x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %88 = stablehlo.subtract %87, %86 : tensor<8x4x16xf32>
    %89 = stablehlo.dot_general %86, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<16x8xf32>) -> tensor<8x4x8xf32>
    %90 = stablehlo.add %84, %89 : tensor<8x4x8xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %91 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %92 = stablehlo.compare LT, %arg60, %91, SIGNED : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi1>
    %c_23 = stablehlo.constant dense<10> : tensor<i32>
    %93 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %94 = stablehlo.add %arg60, %93 : tensor<8x4xi32>
    %95 = stablehlo.select %92, %94, %arg60 : tensor<8x4xi1>, tensor<8x4xi32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
    %97 = "stablehlo.gather"(%arg28, %96) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x4x1xi32>) -> tensor<8x4x8xf32>
    %98 = stablehlo.dot_general %97, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %99 = stablehlo.dot_general %97, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %100 = stablehlo.transpose %99, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %101 = stablehlo.dot_general %98, %100, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_24) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %103 = stablehlo.reshape %102 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %105 = stablehlo.compare EQ, %101, %104, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %106 = stablehlo.convert %105 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %109 = stablehlo.maximum %108, %102 : tensor<8x4xf32>
    %110 = stablehlo.compare EQ, %102, %109, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %113 = stablehlo.select %110, %111, %112 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %115 = stablehlo.compare EQ, %114, %109, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %118 = stablehlo.select %115, %116, %117 : tensor<8x4xi1>, tensor<8x4xf32>
    %119 = stablehlo.divide %113, %118 : tensor<8x4xf32>
    %120 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %122 = stablehlo.subtract %101, %121 : tensor<8x4x4xf32>
    %123 = stablehlo.exponential %122 : tensor<8x4x4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%123 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %127 = stablehlo.divide %123, %126 : tensor<8x4x4xf32>
    %128 = stablehlo.multiply %125, %125 : tensor<8x4x1xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %130 = stablehlo.divide %129, %128 : tensor<8x4x1xf32>
    %131 = stablehlo.dot_general %97, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %132 = stablehlo.dot_general %127, %131, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %133 = stablehlo.add %97, %132 : tensor<8x4x8xf32>
    %134 = stablehlo.dot_general %133, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %135 = stablehlo.dot_general %90, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %136 = stablehlo.transpose %135, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %137 = stablehlo.dot_general %134, %136, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %138 = stablehlo.reduce(%137 init: %cst_34) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %139 = stablehlo.reshape %138 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %141 = stablehlo.compare EQ, %137, %140, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %142 = stablehlo.convert %141 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %145 = stablehlo.maximum %144, %138 : tensor<8x4xf32>
    %146 = stablehlo.compare EQ, %138, %145, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %149 = stablehlo.select %146, %147, %148 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_39 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %151 = stablehlo.compare EQ, %150, %145, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %154 = stablehlo.select %151, %152, %153 : tensor<8x4xi1>, tensor<8x4xf32>
    %155 = stablehlo.divide %149, %154 : tensor<8x4xf32>
    %156 = stablehlo.broadcast_in_dim %145, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %158 = stablehlo.subtract %137, %157 : tensor<8x4x4xf32>
    %159 = stablehlo.exponential %158 : tensor<8x4x4xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%159 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %163 = stablehlo.divide %159, %162 : tensor<8x4x4xf32>
    %164 = stablehlo.multiply %161, %161 : tensor<8x4x1xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %166 = stablehlo.divide %165, %164 : tensor<8x4x1xf32>
    %167 = stablehlo.dot_general %90, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %168 = stablehlo.dot_general %163, %167, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %169 = stablehlo.add %133, %168 : tensor<8x4x8xf32>
    %170 = stablehlo.dot_general %169, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x16xf32>) -> tensor<8x4x16xf32>
    %171 = stablehlo.tanh %170 : tensor<8x4x16xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %173 = stablehlo.subtract %172, %171 : tensor<8x4x16xf32>
    %174 = stablehlo.dot_general %171, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<16x8xf32>) -> tensor<8x4x8xf32>
    %175 = stablehlo.add %169, %174 : tensor<8x4x8xf32>
    %176 = stablehlo.dot_general %175, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %177 = stablehlo.dot_general %175, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %178 = stablehlo.transpose %177, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %179 = stablehlo.dot_general %176, %178, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_45) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %181 = stablehlo.reshape %180 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %183 = stablehlo.compare EQ, %179, %182, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %184 = stablehlo.convert %183 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.reduce(%184 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %187 = stablehlo.maximum %186, %180 : tensor<8x4xf32>
    %188 = stablehlo.compare EQ, %180, %187, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %191 = stablehlo.select %188, %189, %190 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_50 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %193 = stablehlo.compare EQ, %192, %187, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %196 = stablehlo.select %193, %194, %195 : tensor<8x4xi1>, tensor<8x4xf32>
    %197 = stablehlo.divide %191, %196 : tensor<8x4xf32>
    %198 = stablehlo.broadcast_in_dim %187, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %200 = stablehlo.subtract %179, %199 : tensor<8x4x4xf32>
    %201 = stablehlo.exponential %200 : tensor<8x4x4xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%201 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %204 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %205 = stablehlo.divide %201, %204 : tensor<8x4x4xf32>
    %206 = stablehlo.multiply %203, %203 : tensor<8x4x1xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %208 = stablehlo.divide %207, %206 : tensor<8x4x1xf32>
    %209 = stablehlo.dot_general %175, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %210 = stablehlo.dot_general %205, %209, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %211 = stablehlo.add %175, %210 : tensor<8x4x8xf32>
    %212 = stablehlo.dot_general %211, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %213 = stablehlo.dot_general %90, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %214 = stablehlo.transpose %213, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %215 = stablehlo.dot_general %212, %214, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
    %cst_55 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %216 = stablehlo.reduce(%215 init: %cst_55) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %217 = stablehlo.reshape %216 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %219 = stablehlo.compare EQ, %215, %218, FLOAT : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xi1>
    %220 = stablehlo.convert %219 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = stablehlo.reduce(%220 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_57 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %223 = stablehlo.maximum %222, %216 : tensor<8x4xf32>
    %224 = stablehlo.compare EQ, %216, %223, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %227 = stablehlo.select %224, %225, %226 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_60 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %229 = stablehlo.compare EQ, %228, %223, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %232 = stablehlo.select %229, %230, %231 : tensor<8x4xi1>, tensor<8x4xf32>
    %233 = stablehlo.divide %227, %232 : tensor<8x4xf32>
    %234 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %236 = stablehlo.subtract %215, %235 : tensor<8x4x4xf32>
    %237 = stablehlo.exponential %236 : tensor<8x4x4xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237 init: %cst_63) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %241 = stablehlo.divide %237, %240 : tensor<8x4x4xf32>
    %242 = stablehlo.multiply %239, %239 : tensor<8x4x1xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<8x4x1xf32>
    %244 = stablehlo.divide %243, %242 : tensor<8x4x1xf32>
    %245 = stablehlo.dot_general %90, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %246 = stablehlo.dot_general %241, %245, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %247 = stablehlo.add %211, %246 : tensor<8x4x8xf32>
    %248 = stablehlo.dot_general %247, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x16xf32>) -> tensor<8x4x16xf32>
    %249 = stablehlo.tanh %248 : tensor<8x4x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %251 = stablehlo.subtract %250, %249 : tensor<8x4x16xf32>
    %252 = stablehlo.dot_general %249, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<16x8xf32>) -> tensor<8x4x8xf32>
    %253 = stablehlo.add %247, %252 : tensor<8x4x8xf32>
    %254 = stablehlo.dot_general %253, %arg26, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x10xf32>) -> tensor<8x4x10xf32>
    %cst_66 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %255 = stablehlo.reduce(%254 init: %cst_66) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %256 = stablehlo.reshape %255 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x10xf32>
    %258 = stablehlo.compare EQ, %254, %257, FLOAT : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xi1>
    %259 = stablehlo.convert %258 : (tensor<8x4x10xi1>) -> tensor<8x4x10xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.reduce(%259 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_68 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %262 = stablehlo.maximum %261, %255 : tensor<8x4xf32>
    %263 = stablehlo.compare EQ, %255, %262, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %266 = stablehlo.select %263, %264, %265 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_71 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %268 = stablehlo.compare EQ, %267, %262, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_72 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %271 = stablehlo.select %268, %269, %270 : tensor<8x4xi1>, tensor<8x4xf32>
    %272 = stablehlo.divide %266, %271 : tensor<8x4xf32>
    %273 = stablehlo.is_finite %262 : (tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %275 = stablehlo.select %273, %262, %274 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %277 = stablehlo.broadcast_in_dim %275, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x10xf32>
    %279 = stablehlo.subtract %254, %278 : tensor<8x4x10xf32>
    %280 = stablehlo.exponential %279 : tensor<8x4x10xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %281 = stablehlo.reduce(%280 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %282 = stablehlo.sign %281 : tensor<8x4xf32>
    %283 = stablehlo.abs %281 : tensor<8x4xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %285 = stablehlo.compare GE, %281, %284, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %286 = stablehlo.log %283 : tensor<8x4xf32>
    %287 = stablehlo.add %286, %275 : tensor<8x4xf32>
    %288 = call @_one_hot(%arg58) : (tensor<8x4xi32>) -> tensor<8x4x10xf32>
    %289 = stablehlo.multiply %254, %288 : tensor<8x4x10xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %291 = stablehlo.subtract %287, %290 : tensor<8x4xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.reduce(%291 init: %cst_79) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_80 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %293 = stablehlo.divide %292, %cst_80 : tensor<f32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_82 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %294 = stablehlo.divide %cst_81, %cst_82 : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %296 = stablehlo.negate %295 : tensor<8x4xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %298 = stablehlo.multiply %297, %288 : tensor<8x4x10xf32>
    %299 = stablehlo.divide %295, %283 : tensor<8x4xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %301 = stablehlo.select %285, %300, %299 : tensor<8x4xi1>, tensor<8x4xf32>
    %302 = stablehlo.select %285, %299, %300 : tensor<8x4xi1>, tensor<8x4xf32>
    %303 = stablehlo.negate %301 : tensor<8x4xf32>
    %304 = stablehlo.add %302, %303 : tensor<8x4xf32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %306 = stablehlo.multiply %305, %280 : tensor<8x4x10xf32>
    %307 = stablehlo.add %298, %306 : tensor<8x4x10xf32>
    %308 = stablehlo.dot_general %307, %253, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x10xf32>, tensor<8x4x8xf32>) -> tensor<10x8xf32>
    %309 = stablehlo.transpose %308, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %310 = stablehlo.dot_general %307, %arg26, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x10xf32>, tensor<8x10xf32>) -> tensor<8x4x8xf32>
    %311 = stablehlo.dot_general %310, %249, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x16xf32>
    %312 = stablehlo.transpose %311, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %313 = stablehlo.dot_general %310, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<16x8xf32>) -> tensor<8x4x16xf32>
    %314 = stablehlo.multiply %313, %251 : tensor<8x4x16xf32>
    %315 = stablehlo.multiply %314, %249 : tensor<8x4x16xf32>
    %316 = stablehlo.add %314, %315 : tensor<8x4x16xf32>
    %317 = stablehlo.dot_general %316, %247, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<16x8xf32>
    %318 = stablehlo.transpose %317, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %319 = stablehlo.dot_general %316, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16xf32>) -> tensor<8x4x8xf32>
    %320 = stablehlo.add %310, %319 : tensor<8x4x8xf32>
    %321 = stablehlo.dot_general %320, %241, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %322 = stablehlo.transpose %321, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %323 = stablehlo.dot_general %320, %245, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %324 = stablehlo.dot_general %322, %90, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %325 = stablehlo.transpose %324, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %326 = stablehlo.dot_general %322, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %327 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %328 = stablehlo.multiply %323, %327 : tensor<8x4x4xf32>
    %329 = stablehlo.multiply %328, %237 : tensor<8x4x4xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.reduce(%329 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %331 = stablehlo.reshape %330 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %332 = stablehlo.negate %331 : tensor<8x4x1xf32>
    %333 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %334 = stablehlo.divide %323, %333 : tensor<8x4x4xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.reduce(%332 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %337 = stablehlo.add %334, %336 : tensor<8x4x4xf32>
    %338 = stablehlo.multiply %337, %237 : tensor<8x4x4xf32>
    %339 = stablehlo.dot_general %338, %212, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %340 = stablehlo.transpose %339, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %341 = stablehlo.dot_general %338, %214, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %342 = stablehlo.transpose %340, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %343 = stablehlo.dot_general %342, %90, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %344 = stablehlo.transpose %343, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %345 = stablehlo.dot_general %342, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %346 = stablehlo.add %326, %345 : tensor<8x4x8xf32>
    %347 = stablehlo.dot_general %341, %211, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %348 = stablehlo.transpose %347, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %349 = stablehlo.dot_general %341, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %350 = stablehlo.add %320, %349 : tensor<8x4x8xf32>
    %351 = stablehlo.dot_general %350, %205, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %352 = stablehlo.transpose %351, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %353 = stablehlo.dot_general %350, %209, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %354 = stablehlo.dot_general %352, %175, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %355 = stablehlo.transpose %354, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %356 = stablehlo.dot_general %352, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %357 = stablehlo.add %350, %356 : tensor<8x4x8xf32>
    %358 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %359 = stablehlo.multiply %353, %358 : tensor<8x4x4xf32>
    %360 = stablehlo.multiply %359, %201 : tensor<8x4x4xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.reduce(%360 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %362 = stablehlo.reshape %361 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %363 = stablehlo.negate %362 : tensor<8x4x1xf32>
    %364 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %365 = stablehlo.divide %353, %364 : tensor<8x4x4xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%363 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %367 = stablehlo.broadcast_in_dim %366, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %368 = stablehlo.add %365, %367 : tensor<8x4x4xf32>
    %369 = stablehlo.multiply %368, %201 : tensor<8x4x4xf32>
    %370 = stablehlo.dot_general %369, %176, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %371 = stablehlo.transpose %370, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %372 = stablehlo.dot_general %369, %178, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %373 = stablehlo.transpose %371, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %374 = stablehlo.dot_general %373, %175, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %375 = stablehlo.transpose %374, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %376 = stablehlo.dot_general %373, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %377 = stablehlo.add %357, %376 : tensor<8x4x8xf32>
    %378 = stablehlo.dot_general %372, %175, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %379 = stablehlo.transpose %378, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %380 = stablehlo.dot_general %372, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %381 = stablehlo.add %377, %380 : tensor<8x4x8xf32>
    %382 = stablehlo.dot_general %381, %171, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x16xf32>
    %383 = stablehlo.transpose %382, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %384 = stablehlo.dot_general %381, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<16x8xf32>) -> tensor<8x4x16xf32>
    %385 = stablehlo.multiply %384, %173 : tensor<8x4x16xf32>
    %386 = stablehlo.multiply %385, %171 : tensor<8x4x16xf32>
    %387 = stablehlo.add %385, %386 : tensor<8x4x16xf32>
    %388 = stablehlo.dot_general %387, %169, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<16x8xf32>
    %389 = stablehlo.transpose %388, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %390 = stablehlo.dot_general %387, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16xf32>) -> tensor<8x4x8xf32>
    %391 = stablehlo.add %381, %390 : tensor<8x4x8xf32>
    %392 = stablehlo.dot_general %391, %163, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %393 = stablehlo.transpose %392, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %394 = stablehlo.dot_general %391, %167, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %395 = stablehlo.dot_general %393, %90, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %396 = stablehlo.transpose %395, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %397 = stablehlo.dot_general %393, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %398 = stablehlo.add %346, %397 : tensor<8x4x8xf32>
    %399 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %400 = stablehlo.multiply %394, %399 : tensor<8x4x4xf32>
    %401 = stablehlo.multiply %400, %159 : tensor<8x4x4xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.reduce(%401 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %403 = stablehlo.reshape %402 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %404 = stablehlo.negate %403 : tensor<8x4x1xf32>
    %405 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %406 = stablehlo.divide %394, %405 : tensor<8x4x4xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %407 = stablehlo.reduce(%404 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %408 = stablehlo.broadcast_in_dim %407, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %409 = stablehlo.add %406, %408 : tensor<8x4x4xf32>
    %410 = stablehlo.multiply %409, %159 : tensor<8x4x4xf32>
    %411 = stablehlo.dot_general %410, %134, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %412 = stablehlo.transpose %411, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %413 = stablehlo.dot_general %410, %136, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %414 = stablehlo.transpose %412, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %415 = stablehlo.dot_general %414, %90, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %416 = stablehlo.transpose %415, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %417 = stablehlo.dot_general %414, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %418 = stablehlo.add %398, %417 : tensor<8x4x8xf32>
    %419 = stablehlo.dot_general %413, %133, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %420 = stablehlo.transpose %419, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %421 = stablehlo.dot_general %413, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %422 = stablehlo.add %391, %421 : tensor<8x4x8xf32>
    %423 = stablehlo.dot_general %422, %127, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %424 = stablehlo.transpose %423, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %425 = stablehlo.dot_general %422, %131, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %426 = stablehlo.dot_general %424, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %427 = stablehlo.transpose %426, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %428 = stablehlo.dot_general %424, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %429 = stablehlo.add %422, %428 : tensor<8x4x8xf32>
    %430 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %431 = stablehlo.multiply %425, %430 : tensor<8x4x4xf32>
    %432 = stablehlo.multiply %431, %123 : tensor<8x4x4xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %433 = stablehlo.reduce(%432 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %434 = stablehlo.reshape %433 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %435 = stablehlo.negate %434 : tensor<8x4x1xf32>
    %436 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %437 = stablehlo.divide %425, %436 : tensor<8x4x4xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%435 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %439 = stablehlo.broadcast_in_dim %438, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %440 = stablehlo.add %437, %439 : tensor<8x4x4xf32>
    %441 = stablehlo.multiply %440, %123 : tensor<8x4x4xf32>
    %442 = stablehlo.dot_general %441, %98, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %443 = stablehlo.transpose %442, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %444 = stablehlo.dot_general %441, %100, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %445 = stablehlo.transpose %443, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %446 = stablehlo.dot_general %445, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %447 = stablehlo.transpose %446, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %448 = stablehlo.dot_general %445, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %449 = stablehlo.add %429, %448 : tensor<8x4x8xf32>
    %450 = stablehlo.dot_general %444, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %451 = stablehlo.transpose %450, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %452 = stablehlo.dot_general %444, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %453 = stablehlo.add %449, %452 : tensor<8x4x8xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %454 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %455 = "stablehlo.scatter"(%454, %96, %453) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
      %714 = stablehlo.add %arg61, %arg62 : tensor<f32>
      stablehlo.return %714 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x4x1xi32>, tensor<8x4x8xf32>) -> tensor<10x8xf32>
    %456 = stablehlo.dot_general %418, %86, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x16xf32>
    %457 = stablehlo.transpose %456, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %458 = stablehlo.dot_general %418, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<16x8xf32>) -> tensor<8x4x16xf32>
    %459 = stablehlo.multiply %458, %88 : tensor<8x4x16xf32>
    %460 = stablehlo.multiply %459, %86 : tensor<8x4x16xf32>
    %461 = stablehlo.add %459, %460 : tensor<8x4x16xf32>
    %462 = stablehlo.dot_general %461, %84, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<16x8xf32>
    %463 = stablehlo.transpose %462, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %464 = stablehlo.dot_general %461, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16xf32>) -> tensor<8x4x8xf32>
    %465 = stablehlo.add %418, %464 : tensor<8x4x8xf32>
    %466 = stablehlo.dot_general %465, %78, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %467 = stablehlo.transpose %466, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %468 = stablehlo.dot_general %465, %82, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %469 = stablehlo.dot_general %467, %48, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %470 = stablehlo.transpose %469, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %471 = stablehlo.dot_general %467, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %472 = stablehlo.add %465, %471 : tensor<8x4x8xf32>
    %473 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %474 = stablehlo.multiply %468, %473 : tensor<8x4x4xf32>
    %475 = stablehlo.multiply %474, %74 : tensor<8x4x4xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_93) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %477 = stablehlo.reshape %476 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %478 = stablehlo.negate %477 : tensor<8x4x1xf32>
    %479 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %480 = stablehlo.divide %468, %479 : tensor<8x4x4xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %481 = stablehlo.reduce(%478 init: %cst_94) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %482 = stablehlo.broadcast_in_dim %481, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %483 = stablehlo.add %480, %482 : tensor<8x4x4xf32>
    %484 = stablehlo.multiply %483, %74 : tensor<8x4x4xf32>
    %485 = stablehlo.dot_general %484, %49, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %486 = stablehlo.transpose %485, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %487 = stablehlo.dot_general %484, %51, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %488 = stablehlo.transpose %486, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %489 = stablehlo.dot_general %488, %48, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %490 = stablehlo.transpose %489, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %491 = stablehlo.dot_general %488, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %492 = stablehlo.add %472, %491 : tensor<8x4x8xf32>
    %493 = stablehlo.dot_general %487, %48, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %494 = stablehlo.transpose %493, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %495 = stablehlo.dot_general %487, %arg24, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %496 = stablehlo.add %492, %495 : tensor<8x4x8xf32>
    %497 = stablehlo.dot_general %496, %44, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x16xf32>
    %498 = stablehlo.transpose %497, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %499 = stablehlo.dot_general %496, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<16x8xf32>) -> tensor<8x4x16xf32>
    %500 = stablehlo.multiply %499, %46 : tensor<8x4x16xf32>
    %501 = stablehlo.multiply %500, %44 : tensor<8x4x16xf32>
    %502 = stablehlo.add %500, %501 : tensor<8x4x16xf32>
    %503 = stablehlo.dot_general %502, %42, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<16x8xf32>
    %504 = stablehlo.transpose %503, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %505 = stablehlo.dot_general %502, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16xf32>, tensor<8x16xf32>) -> tensor<8x4x8xf32>
    %506 = stablehlo.add %496, %505 : tensor<8x4x8xf32>
    %507 = stablehlo.dot_general %506, %36, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x4xf32>) -> tensor<8x8x4xf32>
    %508 = stablehlo.transpose %507, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %509 = stablehlo.dot_general %506, %40, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x4xf32>
    %510 = stablehlo.dot_general %508, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %511 = stablehlo.transpose %510, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %512 = stablehlo.dot_general %508, %arg20, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %513 = stablehlo.add %506, %512 : tensor<8x4x8xf32>
    %514 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %515 = stablehlo.multiply %509, %514 : tensor<8x4x4xf32>
    %516 = stablehlo.multiply %515, %32 : tensor<8x4x4xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %517 = stablehlo.reduce(%516 init: %cst_95) applies stablehlo.add across dimensions = [2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %518 = stablehlo.reshape %517 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %519 = stablehlo.negate %518 : tensor<8x4x1xf32>
    %520 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %521 = stablehlo.divide %509, %520 : tensor<8x4x4xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %522 = stablehlo.reduce(%519 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<8x4x1xf32>, tensor<f32>) -> tensor<8x4xf32>
    %523 = stablehlo.broadcast_in_dim %522, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
    %524 = stablehlo.add %521, %523 : tensor<8x4x4xf32>
    %525 = stablehlo.multiply %524, %32 : tensor<8x4x4xf32>
    %526 = stablehlo.dot_general %525, %7, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %527 = stablehlo.transpose %526, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %528 = stablehlo.dot_general %525, %9, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %529 = stablehlo.transpose %527, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %530 = stablehlo.dot_general %529, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %531 = stablehlo.transpose %530, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %532 = stablehlo.dot_general %529, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %533 = stablehlo.add %513, %532 : tensor<8x4x8xf32>
    %534 = stablehlo.dot_general %528, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x8xf32>
    %535 = stablehlo.transpose %534, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %536 = stablehlo.dot_general %528, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %537 = stablehlo.add %533, %536 : tensor<8x4x8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %539 = "stablehlo.scatter"(%538, %5, %537) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
      %714 = stablehlo.add %arg61, %arg62 : tensor<f32>
      stablehlo.return %714 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x4x1xi32>, tensor<8x4x8xf32>) -> tensor<10x8xf32>
    %cst_98 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %541 = stablehlo.multiply %540, %arg29 : tensor<8x8xf32>
    %542 = stablehlo.add %541, %416 : tensor<8x8xf32>
    %cst_99 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %544 = stablehlo.multiply %543, %arg30 : tensor<8x8xf32>
    %545 = stablehlo.add %544, %420 : tensor<8x8xf32>
    %cst_100 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %547 = stablehlo.multiply %546, %arg31 : tensor<8x8xf32>
    %548 = stablehlo.add %547, %396 : tensor<8x8xf32>
    %cst_101 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %549 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %550 = stablehlo.multiply %549, %arg32 : tensor<8x16xf32>
    %551 = stablehlo.add %550, %389 : tensor<8x16xf32>
    %cst_102 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %553 = stablehlo.multiply %552, %arg33 : tensor<16x8xf32>
    %554 = stablehlo.add %553, %383 : tensor<16x8xf32>
    %cst_103 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %556 = stablehlo.multiply %555, %arg34 : tensor<8x8xf32>
    %557 = stablehlo.add %556, %447 : tensor<8x8xf32>
    %cst_104 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %558 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %559 = stablehlo.multiply %558, %arg35 : tensor<8x8xf32>
    %560 = stablehlo.add %559, %451 : tensor<8x8xf32>
    %cst_105 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %562 = stablehlo.multiply %561, %arg36 : tensor<8x8xf32>
    %563 = stablehlo.add %562, %427 : tensor<8x8xf32>
    %cst_106 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %564 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %565 = stablehlo.multiply %564, %arg37 : tensor<8x8xf32>
    %566 = stablehlo.add %565, %344 : tensor<8x8xf32>
    %cst_107 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %567 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %568 = stablehlo.multiply %567, %arg38 : tensor<8x8xf32>
    %569 = stablehlo.add %568, %348 : tensor<8x8xf32>
    %cst_108 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %570 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %571 = stablehlo.multiply %570, %arg39 : tensor<8x8xf32>
    %572 = stablehlo.add %571, %325 : tensor<8x8xf32>
    %cst_109 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %574 = stablehlo.multiply %573, %arg40 : tensor<8x16xf32>
    %575 = stablehlo.add %574, %318 : tensor<8x16xf32>
    %cst_110 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %576 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %577 = stablehlo.multiply %576, %arg41 : tensor<16x8xf32>
    %578 = stablehlo.add %577, %312 : tensor<16x8xf32>
    %cst_111 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %580 = stablehlo.multiply %579, %arg42 : tensor<8x8xf32>
    %581 = stablehlo.add %580, %375 : tensor<8x8xf32>
    %cst_112 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %582 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %583 = stablehlo.multiply %582, %arg43 : tensor<8x8xf32>
    %584 = stablehlo.add %583, %379 : tensor<8x8xf32>
    %cst_113 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %585 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %586 = stablehlo.multiply %585, %arg44 : tensor<8x8xf32>
    %587 = stablehlo.add %586, %355 : tensor<8x8xf32>
    %cst_114 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %588 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %589 = stablehlo.multiply %588, %arg45 : tensor<8x16xf32>
    %590 = stablehlo.add %589, %504 : tensor<8x16xf32>
    %cst_115 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %591 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %592 = stablehlo.multiply %591, %arg46 : tensor<16x8xf32>
    %593 = stablehlo.add %592, %498 : tensor<16x8xf32>
    %cst_116 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %594 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %595 = stablehlo.multiply %594, %arg47 : tensor<8x8xf32>
    %596 = stablehlo.add %595, %531 : tensor<8x8xf32>
    %cst_117 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %598 = stablehlo.multiply %597, %arg48 : tensor<8x8xf32>
    %599 = stablehlo.add %598, %535 : tensor<8x8xf32>
    %cst_118 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %600 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %601 = stablehlo.multiply %600, %arg49 : tensor<8x8xf32>
    %602 = stablehlo.add %601, %511 : tensor<8x8xf32>
    %cst_119 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %604 = stablehlo.multiply %603, %arg50 : tensor<8x16xf32>
    %605 = stablehlo.add %604, %463 : tensor<8x16xf32>
    %cst_120 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %606 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %607 = stablehlo.multiply %606, %arg51 : tensor<16x8xf32>
    %608 = stablehlo.add %607, %457 : tensor<16x8xf32>
    %cst_121 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %610 = stablehlo.multiply %609, %arg52 : tensor<8x8xf32>
    %611 = stablehlo.add %610, %490 : tensor<8x8xf32>
    %cst_122 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %613 = stablehlo.multiply %612, %arg53 : tensor<8x8xf32>
    %614 = stablehlo.add %613, %494 : tensor<8x8xf32>
    %cst_123 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %616 = stablehlo.multiply %615, %arg54 : tensor<8x8xf32>
    %617 = stablehlo.add %616, %470 : tensor<8x8xf32>
    %cst_124 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %618 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %619 = stablehlo.multiply %618, %arg55 : tensor<8x10xf32>
    %620 = stablehlo.add %619, %309 : tensor<8x10xf32>
    %cst_125 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %622 = stablehlo.multiply %621, %arg56 : tensor<10x8xf32>
    %623 = stablehlo.add %622, %539 : tensor<10x8xf32>
    %cst_126 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %624 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %625 = stablehlo.multiply %624, %arg57 : tensor<10x8xf32>
    %626 = stablehlo.add %625, %455 : tensor<10x8xf32>
    %cst_127 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %627 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %628 = stablehlo.multiply %627, %542 : tensor<8x8xf32>
    %629 = stablehlo.subtract %arg0, %628 : tensor<8x8xf32>
    %cst_128 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %630 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %631 = stablehlo.multiply %630, %545 : tensor<8x8xf32>
    %632 = stablehlo.subtract %arg1, %631 : tensor<8x8xf32>
    %cst_129 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %634 = stablehlo.multiply %633, %548 : tensor<8x8xf32>
    %635 = stablehlo.subtract %arg2, %634 : tensor<8x8xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %637 = stablehlo.multiply %636, %551 : tensor<8x16xf32>
    %638 = stablehlo.subtract %arg3, %637 : tensor<8x16xf32>
    %cst_131 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %640 = stablehlo.multiply %639, %554 : tensor<16x8xf32>
    %641 = stablehlo.subtract %arg4, %640 : tensor<16x8xf32>
    %cst_132 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %642 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %643 = stablehlo.multiply %642, %557 : tensor<8x8xf32>
    %644 = stablehlo.subtract %arg5, %643 : tensor<8x8xf32>
    %cst_133 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %646 = stablehlo.multiply %645, %560 : tensor<8x8xf32>
    %647 = stablehlo.subtract %arg6, %646 : tensor<8x8xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %648 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %649 = stablehlo.multiply %648, %563 : tensor<8x8xf32>
    %650 = stablehlo.subtract %arg7, %649 : tensor<8x8xf32>
    %cst_135 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %652 = stablehlo.multiply %651, %566 : tensor<8x8xf32>
    %653 = stablehlo.subtract %arg8, %652 : tensor<8x8xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %655 = stablehlo.multiply %654, %569 : tensor<8x8xf32>
    %656 = stablehlo.subtract %arg9, %655 : tensor<8x8xf32>
    %cst_137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %658 = stablehlo.multiply %657, %572 : tensor<8x8xf32>
    %659 = stablehlo.subtract %arg10, %658 : tensor<8x8xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %660 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %661 = stablehlo.multiply %660, %575 : tensor<8x16xf32>
    %662 = stablehlo.subtract %arg11, %661 : tensor<8x16xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %664 = stablehlo.multiply %663, %578 : tensor<16x8xf32>
    %665 = stablehlo.subtract %arg12, %664 : tensor<16x8xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %667 = stablehlo.multiply %666, %581 : tensor<8x8xf32>
    %668 = stablehlo.subtract %arg13, %667 : tensor<8x8xf32>
    %cst_141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %670 = stablehlo.multiply %669, %584 : tensor<8x8xf32>
    %671 = stablehlo.subtract %arg14, %670 : tensor<8x8xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %672 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %673 = stablehlo.multiply %672, %587 : tensor<8x8xf32>
    %674 = stablehlo.subtract %arg15, %673 : tensor<8x8xf32>
    %cst_143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %676 = stablehlo.multiply %675, %590 : tensor<8x16xf32>
    %677 = stablehlo.subtract %arg16, %676 : tensor<8x16xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %679 = stablehlo.multiply %678, %593 : tensor<16x8xf32>
    %680 = stablehlo.subtract %arg17, %679 : tensor<16x8xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %681 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %682 = stablehlo.multiply %681, %596 : tensor<8x8xf32>
    %683 = stablehlo.subtract %arg18, %682 : tensor<8x8xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %685 = stablehlo.multiply %684, %599 : tensor<8x8xf32>
    %686 = stablehlo.subtract %arg19, %685 : tensor<8x8xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %688 = stablehlo.multiply %687, %602 : tensor<8x8xf32>
    %689 = stablehlo.subtract %arg20, %688 : tensor<8x8xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %691 = stablehlo.multiply %690, %605 : tensor<8x16xf32>
    %692 = stablehlo.subtract %arg21, %691 : tensor<8x16xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %693 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %694 = stablehlo.multiply %693, %608 : tensor<16x8xf32>
    %695 = stablehlo.subtract %arg22, %694 : tensor<16x8xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %697 = stablehlo.multiply %696, %611 : tensor<8x8xf32>
    %698 = stablehlo.subtract %arg23, %697 : tensor<8x8xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %700 = stablehlo.multiply %699, %614 : tensor<8x8xf32>
    %701 = stablehlo.subtract %arg24, %700 : tensor<8x8xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %702 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %703 = stablehlo.multiply %702, %617 : tensor<8x8xf32>
    %704 = stablehlo.subtract %arg25, %703 : tensor<8x8xf32>
    %cst_153 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %705 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %706 = stablehlo.multiply %705, %620 : tensor<8x10xf32>
    %707 = stablehlo.subtract %arg26, %706 : tensor<8x10xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %708 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %709 = stablehlo.multiply %708, %623 : tensor<10x8xf32>
    %710 = stablehlo.subtract %arg27, %709 : tensor<10x8xf32>
    %cst_155 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %711 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %712 = stablehlo.multiply %711, %626 : tensor<10x8xf32>
    %713 = stablehlo.subtract %arg28, %712 : tensor<10x8xf32>
    return %629, %632, %635, %638, %641, %644, %647, %650, %653, %656, %659, %662, %665, %668, %671, %674, %677, %680, %683, %686, %689, %692, %695, %698, %701, %704, %707, %710, %713, %542, %545, %548, %551, %554, %557, %560, %563, %566, %569, %572, %575, %578, %581, %584, %587, %590, %593, %596, %599, %602, %605, %608, %611, %614, %617, %620, %623, %626, %293 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x10xf32>, tensor<10x8xf32>, tensor<10x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x10xf32>, tensor<10x8xf32>, tensor<10x8xf32>, tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<8x4xi32>) -> tensor<8x4x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x4x1xi32>) -> tensor<8x4x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x10xi32>) -> tensor<8x4x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x4x10xi32>, tensor<8x4x10xi32>) -> tensor<8x4x10xi1>
    %5 = stablehlo.convert %4 : (tensor<8x4x10xi1>) -> tensor<8x4x10xf32>
    return %5 : tensor<8x4x10xf32>
  }
}
// expect:
// 0 -> 1: 3 up, 3 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// groups with meshes of their own:
// 0 -> 1: 3 up, 3 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe-v agree
// dualpipe, chimera: groups 0 and 1 have copies of the same stages, whose gradients are added up, but meshes of their own
