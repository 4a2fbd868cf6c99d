// test: pipeline stages=2 microbatches=4 recompute=full
// Layers are loops over the sequence.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<10x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x10xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<10x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<8x4xi32>, %arg21: tensor<8x4xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['h']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['x']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['h']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['x']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][2]['h']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][2]['x']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][3]['h']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][3]['x']"}, tensor<10x8xf32> {jax.result_info = "result[0]['table']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][0]['h']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][0]['x']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][1]['h']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][1]['x']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][2]['h']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][2]['x']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][3]['h']"}, tensor<8x8xf32> {jax.result_info = "result[1]['layers'][3]['x']"}, tensor<10x8xf32> {jax.result_info = "result[1]['table']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %1 = stablehlo.compare LT, %arg21, %0, SIGNED : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
    %3 = stablehlo.add %arg21, %2 : tensor<8x4xi32>
    %4 = stablehlo.select %1, %3, %arg21 : tensor<8x4xi1>, tensor<8x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
    %6 = "stablehlo.gather"(%arg9, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x4x1xi32>) -> tensor<8x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %8 = stablehlo.transpose %6, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %13:9 = stablehlo.while(%iterArg = %8, %iterArg_87 = %arg2, %iterArg_88 = %arg1, %iterArg_89 = %c_5, %iterArg_90 = %7, %iterArg_91 = %9, %iterArg_92 = %10, %iterArg_93 = %11, %iterArg_94 = %12) : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_95 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_89, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %198 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_89) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %199:5 = func.call @closed_call(%iterArg_87, %iterArg_88, %iterArg_90, %198) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %200 = func.call @dynamic_update_index_in_dim(%iterArg_91, %199#1, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %201 = func.call @dynamic_update_index_in_dim(%iterArg_92, %199#2, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %202 = func.call @dynamic_update_index_in_dim(%iterArg_93, %199#3, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %203 = func.call @dynamic_update_index_in_dim(%iterArg_94, %199#4, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_95 = stablehlo.constant dense<1> : tensor<i32>
      %204 = stablehlo.add %iterArg_89, %c_95 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %204, %199#0, %200, %201, %202, %203 : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    }
    %14 = stablehlo.transpose %13#5, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %15 = stablehlo.add %6, %14 : tensor<8x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %17 = stablehlo.transpose %15, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %22:9 = stablehlo.while(%iterArg = %17, %iterArg_87 = %arg4, %iterArg_88 = %arg3, %iterArg_89 = %c_11, %iterArg_90 = %16, %iterArg_91 = %18, %iterArg_92 = %19, %iterArg_93 = %20, %iterArg_94 = %21) : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_95 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_89, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %198 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_89) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %199:5 = func.call @closed_call_0(%iterArg_87, %iterArg_88, %iterArg_90, %198) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %200 = func.call @dynamic_update_index_in_dim(%iterArg_91, %199#1, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %201 = func.call @dynamic_update_index_in_dim(%iterArg_92, %199#2, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %202 = func.call @dynamic_update_index_in_dim(%iterArg_93, %199#3, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %203 = func.call @dynamic_update_index_in_dim(%iterArg_94, %199#4, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_95 = stablehlo.constant dense<1> : tensor<i32>
      %204 = stablehlo.add %iterArg_89, %c_95 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %204, %199#0, %200, %201, %202, %203 : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    }
    %23 = stablehlo.transpose %22#5, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %24 = stablehlo.add %15, %23 : tensor<8x4x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %26 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %31:9 = stablehlo.while(%iterArg = %26, %iterArg_87 = %arg6, %iterArg_88 = %arg5, %iterArg_89 = %c_17, %iterArg_90 = %25, %iterArg_91 = %27, %iterArg_92 = %28, %iterArg_93 = %29, %iterArg_94 = %30) : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_95 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_89, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %198 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_89) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %199:5 = func.call @closed_call_1(%iterArg_87, %iterArg_88, %iterArg_90, %198) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %200 = func.call @dynamic_update_index_in_dim(%iterArg_91, %199#1, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %201 = func.call @dynamic_update_index_in_dim(%iterArg_92, %199#2, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %202 = func.call @dynamic_update_index_in_dim(%iterArg_93, %199#3, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %203 = func.call @dynamic_update_index_in_dim(%iterArg_94, %199#4, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_95 = stablehlo.constant dense<1> : tensor<i32>
      %204 = stablehlo.add %iterArg_89, %c_95 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %204, %199#0, %200, %201, %202, %203 : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    }
    %32 = stablehlo.transpose %31#5, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %33 = stablehlo.add %24, %32 : tensor<8x4x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %35 = stablehlo.transpose %33, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %40:9 = stablehlo.while(%iterArg = %35, %iterArg_87 = %arg8, %iterArg_88 = %arg7, %iterArg_89 = %c_23, %iterArg_90 = %34, %iterArg_91 = %36, %iterArg_92 = %37, %iterArg_93 = %38, %iterArg_94 = %39) : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_95 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_89, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %198 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_89) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %199:5 = func.call @closed_call_2(%iterArg_87, %iterArg_88, %iterArg_90, %198) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %200 = func.call @dynamic_update_index_in_dim(%iterArg_91, %199#1, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %201 = func.call @dynamic_update_index_in_dim(%iterArg_92, %199#2, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %202 = func.call @dynamic_update_index_in_dim(%iterArg_93, %199#3, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %203 = func.call @dynamic_update_index_in_dim(%iterArg_94, %199#4, %iterArg_89) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_95 = stablehlo.constant dense<1> : tensor<i32>
      %204 = stablehlo.add %iterArg_89, %c_95 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %204, %199#0, %200, %201, %202, %203 : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    }
    %41 = stablehlo.transpose %40#5, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %42 = stablehlo.add %33, %41 : tensor<8x4x8xf32>
    %43 = stablehlo.dot_general %42, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x10xf32>) -> tensor<8x4x10xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_24) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %45 = stablehlo.reshape %44 : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x10xf32>
    %47 = stablehlo.compare EQ, %43, %46, FLOAT : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xi1>
    %48 = stablehlo.convert %47 : (tensor<8x4x10xi1>) -> tensor<8x4x10xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %51 = stablehlo.maximum %50, %44 : tensor<8x4xf32>
    %52 = stablehlo.compare EQ, %44, %51, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %55 = stablehlo.select %52, %53, %54 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %57 = stablehlo.compare EQ, %56, %51, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %60 = stablehlo.select %57, %58, %59 : tensor<8x4xi1>, tensor<8x4xf32>
    %61 = stablehlo.divide %55, %60 : tensor<8x4xf32>
    %62 = stablehlo.is_finite %51 : (tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %64 = stablehlo.select %62, %51, %63 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %66 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x10xf32>
    %68 = stablehlo.subtract %43, %67 : tensor<8x4x10xf32>
    %69 = stablehlo.exponential %68 : tensor<8x4x10xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %71 = stablehlo.sign %70 : tensor<8x4xf32>
    %72 = stablehlo.abs %70 : tensor<8x4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %74 = stablehlo.compare GE, %70, %73, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %75 = stablehlo.log %72 : tensor<8x4xf32>
    %76 = stablehlo.add %75, %64 : tensor<8x4xf32>
    %77 = call @_one_hot(%arg20) : (tensor<8x4xi32>) -> tensor<8x4x10xf32>
    %78 = stablehlo.multiply %43, %77 : tensor<8x4x10xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %80 = stablehlo.subtract %76, %79 : tensor<8x4xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_38 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %82 = stablehlo.divide %81, %cst_38 : tensor<f32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_44 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %87 = stablehlo.divide %cst_43, %cst_44 : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %89 = stablehlo.negate %88 : tensor<8x4xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %91 = stablehlo.multiply %90, %77 : tensor<8x4x10xf32>
    %92 = stablehlo.divide %88, %72 : tensor<8x4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %94 = stablehlo.select %74, %93, %92 : tensor<8x4xi1>, tensor<8x4xf32>
    %95 = stablehlo.select %74, %92, %93 : tensor<8x4xi1>, tensor<8x4xf32>
    %96 = stablehlo.negate %94 : tensor<8x4xf32>
    %97 = stablehlo.add %95, %96 : tensor<8x4xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %99 = stablehlo.multiply %98, %69 : tensor<8x4x10xf32>
    %100 = stablehlo.add %91, %99 : tensor<8x4x10xf32>
    %101 = stablehlo.dot_general %100, %42, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x10xf32>, tensor<8x4x8xf32>) -> tensor<10x8xf32>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %103 = stablehlo.dot_general %100, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x10xf32>, tensor<8x10xf32>) -> tensor<8x4x8xf32>
    %104 = stablehlo.transpose %103, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %109:12 = stablehlo.while(%iterArg = %104, %iterArg_87 = %35, %iterArg_88 = %40#6, %iterArg_89 = %40#7, %iterArg_90 = %40#8, %iterArg_91 = %arg8, %iterArg_92 = %arg7, %iterArg_93 = %c_50, %iterArg_94 = %106, %iterArg_95 = %107, %iterArg_96 = %105, %iterArg_97 = %108) : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_93, %c_98, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.subtract %c_98, %iterArg_93 : tensor<i32>
      %c_99 = stablehlo.constant dense<1> : tensor<i32>
      %199 = stablehlo.subtract %198, %c_99 : tensor<i32>
      %200 = func.call @dynamic_index_in_dim(%iterArg, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %201 = func.call @dynamic_index_in_dim(%iterArg_87, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %202 = func.call @dynamic_index_in_dim(%iterArg_88, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %203 = func.call @dynamic_index_in_dim(%iterArg_89, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %204 = func.call @dynamic_index_in_dim(%iterArg_90, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %205:4 = func.call @closed_call_3(%iterArg_91, %iterArg_92, %iterArg_94, %iterArg_95, %iterArg_96, %200, %201, %202, %203, %204) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %206 = func.call @dynamic_update_index_in_dim(%iterArg_97, %205#3, %199) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_100 = stablehlo.constant dense<1> : tensor<i32>
      %207 = stablehlo.add %iterArg_93, %c_100 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %207, %205#0, %205#1, %205#2, %206 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    }
    %110 = stablehlo.transpose %109#11, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %111 = stablehlo.add %103, %110 : tensor<8x4x8xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_55 = stablehlo.constant dense<0> : tensor<i32>
    %117:12 = stablehlo.while(%iterArg = %112, %iterArg_87 = %26, %iterArg_88 = %31#6, %iterArg_89 = %31#7, %iterArg_90 = %31#8, %iterArg_91 = %arg6, %iterArg_92 = %arg5, %iterArg_93 = %c_55, %iterArg_94 = %114, %iterArg_95 = %115, %iterArg_96 = %113, %iterArg_97 = %116) : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_93, %c_98, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.subtract %c_98, %iterArg_93 : tensor<i32>
      %c_99 = stablehlo.constant dense<1> : tensor<i32>
      %199 = stablehlo.subtract %198, %c_99 : tensor<i32>
      %200 = func.call @dynamic_index_in_dim(%iterArg, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %201 = func.call @dynamic_index_in_dim(%iterArg_87, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %202 = func.call @dynamic_index_in_dim(%iterArg_88, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %203 = func.call @dynamic_index_in_dim(%iterArg_89, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %204 = func.call @dynamic_index_in_dim(%iterArg_90, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %205:4 = func.call @closed_call_4(%iterArg_91, %iterArg_92, %iterArg_94, %iterArg_95, %iterArg_96, %200, %201, %202, %203, %204) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %206 = func.call @dynamic_update_index_in_dim(%iterArg_97, %205#3, %199) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_100 = stablehlo.constant dense<1> : tensor<i32>
      %207 = stablehlo.add %iterArg_93, %c_100 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %207, %205#0, %205#1, %205#2, %206 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    }
    %118 = stablehlo.transpose %117#11, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %119 = stablehlo.add %111, %118 : tensor<8x4x8xf32>
    %120 = stablehlo.transpose %119, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_60 = stablehlo.constant dense<0> : tensor<i32>
    %125:12 = stablehlo.while(%iterArg = %120, %iterArg_87 = %17, %iterArg_88 = %22#6, %iterArg_89 = %22#7, %iterArg_90 = %22#8, %iterArg_91 = %arg4, %iterArg_92 = %arg3, %iterArg_93 = %c_60, %iterArg_94 = %122, %iterArg_95 = %123, %iterArg_96 = %121, %iterArg_97 = %124) : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_93, %c_98, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.subtract %c_98, %iterArg_93 : tensor<i32>
      %c_99 = stablehlo.constant dense<1> : tensor<i32>
      %199 = stablehlo.subtract %198, %c_99 : tensor<i32>
      %200 = func.call @dynamic_index_in_dim(%iterArg, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %201 = func.call @dynamic_index_in_dim(%iterArg_87, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %202 = func.call @dynamic_index_in_dim(%iterArg_88, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %203 = func.call @dynamic_index_in_dim(%iterArg_89, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %204 = func.call @dynamic_index_in_dim(%iterArg_90, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %205:4 = func.call @closed_call_5(%iterArg_91, %iterArg_92, %iterArg_94, %iterArg_95, %iterArg_96, %200, %201, %202, %203, %204) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %206 = func.call @dynamic_update_index_in_dim(%iterArg_97, %205#3, %199) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_100 = stablehlo.constant dense<1> : tensor<i32>
      %207 = stablehlo.add %iterArg_93, %c_100 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %207, %205#0, %205#1, %205#2, %206 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    }
    %126 = stablehlo.transpose %125#11, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %127 = stablehlo.add %119, %126 : tensor<8x4x8xf32>
    %128 = stablehlo.transpose %127, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_65 = stablehlo.constant dense<0> : tensor<i32>
    %133:12 = stablehlo.while(%iterArg = %128, %iterArg_87 = %8, %iterArg_88 = %13#6, %iterArg_89 = %13#7, %iterArg_90 = %13#8, %iterArg_91 = %arg2, %iterArg_92 = %arg1, %iterArg_93 = %c_65, %iterArg_94 = %130, %iterArg_95 = %131, %iterArg_96 = %129, %iterArg_97 = %132) : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.compare LT, %iterArg_93, %c_98, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    } do {
      %c_98 = stablehlo.constant dense<4> : tensor<i32>
      %198 = stablehlo.subtract %c_98, %iterArg_93 : tensor<i32>
      %c_99 = stablehlo.constant dense<1> : tensor<i32>
      %199 = stablehlo.subtract %198, %c_99 : tensor<i32>
      %200 = func.call @dynamic_index_in_dim(%iterArg, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %201 = func.call @dynamic_index_in_dim(%iterArg_87, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %202 = func.call @dynamic_index_in_dim(%iterArg_88, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %203 = func.call @dynamic_index_in_dim(%iterArg_89, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %204 = func.call @dynamic_index_in_dim(%iterArg_90, %199) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %205:4 = func.call @closed_call_6(%iterArg_91, %iterArg_92, %iterArg_94, %iterArg_95, %iterArg_96, %200, %201, %202, %203, %204) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %206 = func.call @dynamic_update_index_in_dim(%iterArg_97, %205#3, %199) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_100 = stablehlo.constant dense<1> : tensor<i32>
      %207 = stablehlo.add %iterArg_93, %c_100 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %207, %205#0, %205#1, %205#2, %206 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8x8xf32>
    }
    %134 = stablehlo.transpose %133#11, dims = [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
    %135 = stablehlo.add %127, %134 : tensor<8x4x8xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %137 = "stablehlo.scatter"(%136, %5, %135) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %198 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %198 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x4x1xi32>, tensor<8x4x8xf32>) -> tensor<10x8xf32>
    %cst_67 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %139 = stablehlo.multiply %138, %arg10 : tensor<8x10xf32>
    %140 = stablehlo.add %139, %102 : tensor<8x10xf32>
    %cst_68 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %142 = stablehlo.multiply %141, %arg11 : tensor<8x8xf32>
    %143 = stablehlo.add %142, %133#9 : tensor<8x8xf32>
    %cst_69 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %145 = stablehlo.multiply %144, %arg12 : tensor<8x8xf32>
    %146 = stablehlo.add %145, %133#8 : tensor<8x8xf32>
    %cst_70 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %148 = stablehlo.multiply %147, %arg13 : tensor<8x8xf32>
    %149 = stablehlo.add %148, %125#9 : tensor<8x8xf32>
    %cst_71 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %151 = stablehlo.multiply %150, %arg14 : tensor<8x8xf32>
    %152 = stablehlo.add %151, %125#8 : tensor<8x8xf32>
    %cst_72 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %154 = stablehlo.multiply %153, %arg15 : tensor<8x8xf32>
    %155 = stablehlo.add %154, %117#9 : tensor<8x8xf32>
    %cst_73 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %157 = stablehlo.multiply %156, %arg16 : tensor<8x8xf32>
    %158 = stablehlo.add %157, %117#8 : tensor<8x8xf32>
    %cst_74 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %160 = stablehlo.multiply %159, %arg17 : tensor<8x8xf32>
    %161 = stablehlo.add %160, %109#9 : tensor<8x8xf32>
    %cst_75 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %163 = stablehlo.multiply %162, %arg18 : tensor<8x8xf32>
    %164 = stablehlo.add %163, %109#8 : tensor<8x8xf32>
    %cst_76 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %166 = stablehlo.multiply %165, %arg19 : tensor<10x8xf32>
    %167 = stablehlo.add %166, %137 : tensor<10x8xf32>
    %cst_77 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %169 = stablehlo.multiply %168, %140 : tensor<8x10xf32>
    %170 = stablehlo.subtract %arg0, %169 : tensor<8x10xf32>
    %cst_78 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %172 = stablehlo.multiply %171, %143 : tensor<8x8xf32>
    %173 = stablehlo.subtract %arg1, %172 : tensor<8x8xf32>
    %cst_79 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %175 = stablehlo.multiply %174, %146 : tensor<8x8xf32>
    %176 = stablehlo.subtract %arg2, %175 : tensor<8x8xf32>
    %cst_80 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %178 = stablehlo.multiply %177, %149 : tensor<8x8xf32>
    %179 = stablehlo.subtract %arg3, %178 : tensor<8x8xf32>
    %cst_81 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %181 = stablehlo.multiply %180, %152 : tensor<8x8xf32>
    %182 = stablehlo.subtract %arg4, %181 : tensor<8x8xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %184 = stablehlo.multiply %183, %155 : tensor<8x8xf32>
    %185 = stablehlo.subtract %arg5, %184 : tensor<8x8xf32>
    %cst_83 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %187 = stablehlo.multiply %186, %158 : tensor<8x8xf32>
    %188 = stablehlo.subtract %arg6, %187 : tensor<8x8xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %190 = stablehlo.multiply %189, %161 : tensor<8x8xf32>
    %191 = stablehlo.subtract %arg7, %190 : tensor<8x8xf32>
    %cst_85 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %193 = stablehlo.multiply %192, %164 : tensor<8x8xf32>
    %194 = stablehlo.subtract %arg8, %193 : tensor<8x8xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %196 = stablehlo.multiply %195, %167 : tensor<10x8xf32>
    %197 = stablehlo.subtract %arg9, %196 : tensor<10x8xf32>
    return %170, %173, %176, %179, %182, %185, %188, %191, %194, %197, %140, %143, %146, %149, %152, %155, %158, %161, %164, %167, %82 : tensor<8x10xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<10x8xf32>, tensor<8x10xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<10x8xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = stablehlo.tanh %2 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<8x8xf32>
    return %3, %3, %arg2, %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    return %1 : tensor<4x8x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = stablehlo.tanh %2 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<8x8xf32>
    return %3, %3, %arg2, %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = stablehlo.tanh %2 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<8x8xf32>
    return %3, %3, %arg2, %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = stablehlo.tanh %2 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<8x8xf32>
    return %3, %3, %arg2, %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
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
  func.func private @closed_call_3(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<8x8xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<8x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %10, %6, %7, %11 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<8x8xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<8x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %10, %6, %7, %11 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<8x8xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<8x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %10, %6, %7, %11 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<8x8xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<8x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %10, %6, %7, %11 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
