module @jit_gpt_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<96x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x96xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<128x32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32x4x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x8x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32x4x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32x128xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<128xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<32x4x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<128x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x4x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<4x8x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32x4x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<32xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32x128xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<128xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<32x4x8xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<16x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<96x32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x96xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<128x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32x4x8xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<4x8x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32x4x8xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<32xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<32x128xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<128xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<32x4x8xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<128x32xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<32xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<32x4x8xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<4x8x32xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<32x4x8xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<32xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<32xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<32xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<32xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<32x128xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<128xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<32x4x8xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<16x32xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<32xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<32xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<96x32xf32> {tf.aliasing_output = 58 : i32}, %arg59: tensor<32x96xf32> {tf.aliasing_output = 59 : i32}, %arg60: tensor<128x32xf32> {tf.aliasing_output = 60 : i32}, %arg61: tensor<32xf32> {tf.aliasing_output = 61 : i32}, %arg62: tensor<32x4x8xf32> {tf.aliasing_output = 62 : i32}, %arg63: tensor<4x8x32xf32> {tf.aliasing_output = 63 : i32}, %arg64: tensor<32x4x8xf32> {tf.aliasing_output = 64 : i32}, %arg65: tensor<32xf32> {tf.aliasing_output = 65 : i32}, %arg66: tensor<32xf32> {tf.aliasing_output = 66 : i32}, %arg67: tensor<32xf32> {tf.aliasing_output = 67 : i32}, %arg68: tensor<32xf32> {tf.aliasing_output = 68 : i32}, %arg69: tensor<32x128xf32> {tf.aliasing_output = 69 : i32}, %arg70: tensor<128xf32> {tf.aliasing_output = 70 : i32}, %arg71: tensor<32x4x8xf32> {tf.aliasing_output = 71 : i32}, %arg72: tensor<128x32xf32> {tf.aliasing_output = 72 : i32}, %arg73: tensor<32xf32> {tf.aliasing_output = 73 : i32}, %arg74: tensor<32x4x8xf32> {tf.aliasing_output = 74 : i32}, %arg75: tensor<4x8x32xf32> {tf.aliasing_output = 75 : i32}, %arg76: tensor<32x4x8xf32> {tf.aliasing_output = 76 : i32}, %arg77: tensor<32xf32> {tf.aliasing_output = 77 : i32}, %arg78: tensor<32xf32> {tf.aliasing_output = 78 : i32}, %arg79: tensor<32xf32> {tf.aliasing_output = 79 : i32}, %arg80: tensor<32xf32> {tf.aliasing_output = 80 : i32}, %arg81: tensor<32x128xf32> {tf.aliasing_output = 81 : i32}, %arg82: tensor<128xf32> {tf.aliasing_output = 82 : i32}, %arg83: tensor<32x4x8xf32> {tf.aliasing_output = 83 : i32}, %arg84: tensor<16x32xf32> {tf.aliasing_output = 84 : i32}, %arg85: tensor<32xf32> {tf.aliasing_output = 85 : i32}, %arg86: tensor<32xf32> {tf.aliasing_output = 86 : i32}, %arg87: tensor<i32> {tf.aliasing_output = 87 : i32}, %arg88: tensor<8x17xi32>) -> (tensor<96x32xf32> {jax.result_info = "result[0]['embedding']"}, tensor<32x96xf32> {jax.result_info = "result[0]['head']"}, tensor<128x32xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][0]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[0]['layers'][0]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][0]['query']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<128xf32> {jax.result_info = "result[0]['layers'][0]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][0]['value']"}, tensor<128x32xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][1]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[0]['layers'][1]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][1]['query']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<128xf32> {jax.result_info = "result[0]['layers'][1]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['layers'][1]['value']"}, tensor<16x32xf32> {jax.result_info = "result[0]['position']"}, tensor<32xf32> {jax.result_info = "result[0]['scale']"}, tensor<32xf32> {jax.result_info = "result[0]['shift']"}, tensor<96x32xf32> {jax.result_info = "result[1]['embedding']"}, tensor<32x96xf32> {jax.result_info = "result[1]['head']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][0]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[1]['layers'][0]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][0]['query']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<128xf32> {jax.result_info = "result[1]['layers'][0]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][0]['value']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][1]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[1]['layers'][1]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][1]['query']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<128xf32> {jax.result_info = "result[1]['layers'][1]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['layers'][1]['value']"}, tensor<16x32xf32> {jax.result_info = "result[1]['position']"}, tensor<32xf32> {jax.result_info = "result[1]['scale']"}, tensor<32xf32> {jax.result_info = "result[1]['shift']"}, tensor<96x32xf32> {jax.result_info = "result[2]['embedding']"}, tensor<32x96xf32> {jax.result_info = "result[2]['head']"}, tensor<128x32xf32> {jax.result_info = "result[2]['layers'][0]['down']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][0]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[2]['layers'][0]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][0]['query']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[2]['layers'][0]['up']"}, tensor<128xf32> {jax.result_info = "result[2]['layers'][0]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][0]['value']"}, tensor<128x32xf32> {jax.result_info = "result[2]['layers'][1]['down']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['down_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][1]['key']"}, tensor<4x8x32xf32> {jax.result_info = "result[2]['layers'][1]['output']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][1]['query']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['scale_1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['scale_2']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['shift_1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['shift_2']"}, tensor<32x128xf32> {jax.result_info = "result[2]['layers'][1]['up']"}, tensor<128xf32> {jax.result_info = "result[2]['layers'][1]['up_bias']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['layers'][1]['value']"}, tensor<16x32xf32> {jax.result_info = "result[2]['position']"}, tensor<32xf32> {jax.result_info = "result[2]['scale']"}, tensor<32xf32> {jax.result_info = "result[2]['shift']"}, tensor<i32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.slice %arg88 [0:8, 0:16] : (tensor<8x17xi32>) -> tensor<8x16xi32>
    %1 = stablehlo.slice %arg88 [0:8, 1:17] : (tensor<8x17xi32>) -> tensor<8x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.compare LT, %0, %2, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<96> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %5 = stablehlo.add %0, %4 : tensor<8x16xi32>
    %6 = stablehlo.select %3, %5, %0 : tensor<8x16xi1>, tensor<8x16xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xf32>, tensor<8x16x1xi32>) -> tensor<8x16x32xf32>
    %9 = stablehlo.broadcast_in_dim %arg26, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x16x32xf32>) -> tensor<8x16x32xf32>
    %11 = stablehlo.add %8, %10 : tensor<8x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<8x16x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<8x16x32xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<8x16x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %22 = stablehlo.divide %20, %21 : tensor<8x16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %24 = stablehlo.add %22, %23 : tensor<8x16x1xf32>
    %25 = stablehlo.sqrt %24 : tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<8x16x1xf32>
    %28 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %29 = stablehlo.divide %17, %28 : tensor<8x16x32xf32>
    %30 = stablehlo.multiply %25, %25 : tensor<8x16x1xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %32 = stablehlo.divide %31, %30 : tensor<8x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %35 = stablehlo.multiply %29, %34 : tensor<8x16x32xf32>
    %36 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %38 = stablehlo.add %35, %37 : tensor<8x16x32xf32>
    %39 = stablehlo.dot_general %arg6, %38, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %40 = stablehlo.transpose %39, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %41 = stablehlo.dot_general %arg4, %38, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %42 = stablehlo.transpose %41, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %43 = stablehlo.dot_general %arg13, %38, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %44 = stablehlo.transpose %43, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %45 = stablehlo.dot_general %40, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %47 = stablehlo.divide %45, %46 : tensor<8x4x16x16xf32>
    %48 = stablehlo.iota dim = 0 : tensor<16xi32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %52 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %53 = stablehlo.compare GE, %51, %52, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst_8 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %54:3 = call @_where(%53, %47, %cst_8) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>)
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%54#0 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %56 = stablehlo.reshape %55 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %58 = stablehlo.compare EQ, %54#0, %57, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %59 = stablehlo.convert %58 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %62 = stablehlo.maximum %61, %55 : tensor<8x4x16xf32>
    %63 = stablehlo.compare EQ, %55, %62, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %66 = stablehlo.select %63, %64, %65 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %68 = stablehlo.compare EQ, %67, %62, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %71 = stablehlo.select %68, %69, %70 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %72 = stablehlo.divide %66, %71 : tensor<8x4x16xf32>
    %73 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %75 = stablehlo.subtract %54#0, %74 : tensor<8x4x16x16xf32>
    %76 = stablehlo.exponential %75 : tensor<8x4x16x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %80 = stablehlo.divide %76, %79 : tensor<8x4x16x16xf32>
    %81 = stablehlo.multiply %78, %78 : tensor<8x4x16x1xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %83 = stablehlo.divide %82, %81 : tensor<8x4x16x1xf32>
    %84 = stablehlo.dot_general %80, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %85 = stablehlo.dot_general %84, %arg5, contracting_dims = [1, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %86 = stablehlo.add %11, %85 : tensor<8x16x32xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_20 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %90 = stablehlo.divide %88, %89 : tensor<8x16x1xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %92 = stablehlo.subtract %86, %91 : tensor<8x16x32xf32>
    %93 = stablehlo.multiply %92, %92 : tensor<8x16x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_22 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %97 = stablehlo.divide %95, %96 : tensor<8x16x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %99 = stablehlo.add %97, %98 : tensor<8x16x1xf32>
    %100 = stablehlo.sqrt %99 : tensor<8x16x1xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %102 = stablehlo.divide %101, %100 : tensor<8x16x1xf32>
    %103 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %104 = stablehlo.divide %92, %103 : tensor<8x16x32xf32>
    %105 = stablehlo.multiply %100, %100 : tensor<8x16x1xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %107 = stablehlo.divide %106, %105 : tensor<8x16x1xf32>
    %108 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %110 = stablehlo.multiply %104, %109 : tensor<8x16x32xf32>
    %111 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %113 = stablehlo.add %110, %112 : tensor<8x16x32xf32>
    %114 = stablehlo.dot_general %113, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x128xf32>) -> tensor<8x16x128xf32>
    %115 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x16x128xf32>
    %117 = stablehlo.add %114, %116 : tensor<8x16x128xf32>
    %118 = stablehlo.multiply %117, %117 : tensor<8x16x128xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<8x16x128xf32>
    %120 = stablehlo.multiply %117, %117 : tensor<8x16x128xf32>
    %cst_26 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<8x16x128xf32>
    %cst_27 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %124 = stablehlo.multiply %123, %119 : tensor<8x16x128xf32>
    %125 = stablehlo.add %117, %124 : tensor<8x16x128xf32>
    %cst_28 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %127 = stablehlo.multiply %126, %125 : tensor<8x16x128xf32>
    %128 = stablehlo.tanh %127 : tensor<8x16x128xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %130 = stablehlo.subtract %129, %128 : tensor<8x16x128xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %132 = stablehlo.add %131, %128 : tensor<8x16x128xf32>
    %cst_31 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<8x16x128xf32>
    %135 = stablehlo.multiply %117, %134 : tensor<8x16x128xf32>
    %136 = stablehlo.dot_general %135, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %137 = stablehlo.add %86, %136 : tensor<8x16x32xf32>
    %138 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %140 = stablehlo.add %137, %139 : tensor<8x16x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%140 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %144 = stablehlo.divide %142, %143 : tensor<8x16x1xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %146 = stablehlo.subtract %140, %145 : tensor<8x16x32xf32>
    %147 = stablehlo.multiply %146, %146 : tensor<8x16x32xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_35 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<8x16x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<8x16x1xf32>
    %154 = stablehlo.sqrt %153 : tensor<8x16x1xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %156 = stablehlo.divide %155, %154 : tensor<8x16x1xf32>
    %157 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %158 = stablehlo.divide %146, %157 : tensor<8x16x32xf32>
    %159 = stablehlo.multiply %154, %154 : tensor<8x16x1xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %161 = stablehlo.divide %160, %159 : tensor<8x16x1xf32>
    %162 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %164 = stablehlo.multiply %158, %163 : tensor<8x16x32xf32>
    %165 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %167 = stablehlo.add %164, %166 : tensor<8x16x32xf32>
    %168 = stablehlo.dot_general %arg18, %167, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %169 = stablehlo.transpose %168, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %170 = stablehlo.dot_general %arg16, %167, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %171 = stablehlo.transpose %170, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %172 = stablehlo.dot_general %arg25, %167, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %173 = stablehlo.transpose %172, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %174 = stablehlo.dot_general %169, %171, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_39 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %176 = stablehlo.divide %174, %175 : tensor<8x4x16x16xf32>
    %177 = stablehlo.iota dim = 0 : tensor<16xi32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %179 = stablehlo.broadcast_in_dim %177, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %180 = stablehlo.broadcast_in_dim %178, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %181 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %182 = stablehlo.compare GE, %180, %181, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst_40 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %183:3 = call @_where(%182, %176, %cst_40) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>)
    %cst_41 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %184 = stablehlo.reduce(%183#0 init: %cst_41) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %185 = stablehlo.reshape %184 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %187 = stablehlo.compare EQ, %183#0, %186, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %188 = stablehlo.convert %187 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %189 = stablehlo.reduce(%188 init: %cst_42) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_43 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %191 = stablehlo.maximum %190, %184 : tensor<8x4x16xf32>
    %192 = stablehlo.compare EQ, %184, %191, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %195 = stablehlo.select %192, %193, %194 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %197 = stablehlo.compare EQ, %196, %191, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_47 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %200 = stablehlo.select %197, %198, %199 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %201 = stablehlo.divide %195, %200 : tensor<8x4x16xf32>
    %202 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %204 = stablehlo.subtract %183#0, %203 : tensor<8x4x16x16xf32>
    %205 = stablehlo.exponential %204 : tensor<8x4x16x16xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_49) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %209 = stablehlo.divide %205, %208 : tensor<8x4x16x16xf32>
    %210 = stablehlo.multiply %207, %207 : tensor<8x4x16x1xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %212 = stablehlo.divide %211, %210 : tensor<8x4x16x1xf32>
    %213 = stablehlo.dot_general %209, %173, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %214 = stablehlo.dot_general %213, %arg17, contracting_dims = [1, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %215 = stablehlo.add %140, %214 : tensor<8x16x32xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.reduce(%215 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_52 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %219 = stablehlo.divide %217, %218 : tensor<8x16x1xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %221 = stablehlo.subtract %215, %220 : tensor<8x16x32xf32>
    %222 = stablehlo.multiply %221, %221 : tensor<8x16x32xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.reduce(%222 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_54 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %226 = stablehlo.divide %224, %225 : tensor<8x16x1xf32>
    %cst_55 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %228 = stablehlo.add %226, %227 : tensor<8x16x1xf32>
    %229 = stablehlo.sqrt %228 : tensor<8x16x1xf32>
    %cst_56 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %231 = stablehlo.divide %230, %229 : tensor<8x16x1xf32>
    %232 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %233 = stablehlo.divide %221, %232 : tensor<8x16x32xf32>
    %234 = stablehlo.multiply %229, %229 : tensor<8x16x1xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %236 = stablehlo.divide %235, %234 : tensor<8x16x1xf32>
    %237 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %239 = stablehlo.multiply %233, %238 : tensor<8x16x32xf32>
    %240 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %242 = stablehlo.add %239, %241 : tensor<8x16x32xf32>
    %243 = stablehlo.dot_general %242, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x128xf32>) -> tensor<8x16x128xf32>
    %244 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x16x128xf32>
    %246 = stablehlo.add %243, %245 : tensor<8x16x128xf32>
    %247 = stablehlo.multiply %246, %246 : tensor<8x16x128xf32>
    %248 = stablehlo.multiply %247, %246 : tensor<8x16x128xf32>
    %249 = stablehlo.multiply %246, %246 : tensor<8x16x128xf32>
    %cst_58 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %251 = stablehlo.multiply %250, %249 : tensor<8x16x128xf32>
    %cst_59 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %253 = stablehlo.multiply %252, %248 : tensor<8x16x128xf32>
    %254 = stablehlo.add %246, %253 : tensor<8x16x128xf32>
    %cst_60 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %256 = stablehlo.multiply %255, %254 : tensor<8x16x128xf32>
    %257 = stablehlo.tanh %256 : tensor<8x16x128xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %259 = stablehlo.subtract %258, %257 : tensor<8x16x128xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %261 = stablehlo.add %260, %257 : tensor<8x16x128xf32>
    %cst_63 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %263 = stablehlo.multiply %262, %261 : tensor<8x16x128xf32>
    %264 = stablehlo.multiply %246, %263 : tensor<8x16x128xf32>
    %265 = stablehlo.dot_general %264, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %266 = stablehlo.add %215, %265 : tensor<8x16x32xf32>
    %267 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %269 = stablehlo.add %266, %268 : tensor<8x16x32xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%269 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_65 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %273 = stablehlo.divide %271, %272 : tensor<8x16x1xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %275 = stablehlo.subtract %269, %274 : tensor<8x16x32xf32>
    %276 = stablehlo.multiply %275, %275 : tensor<8x16x32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%276 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_67 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %280 = stablehlo.divide %278, %279 : tensor<8x16x1xf32>
    %cst_68 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %282 = stablehlo.add %280, %281 : tensor<8x16x1xf32>
    %283 = stablehlo.sqrt %282 : tensor<8x16x1xf32>
    %cst_69 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %285 = stablehlo.divide %284, %283 : tensor<8x16x1xf32>
    %286 = stablehlo.broadcast_in_dim %283, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %287 = stablehlo.divide %275, %286 : tensor<8x16x32xf32>
    %288 = stablehlo.multiply %283, %283 : tensor<8x16x1xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %290 = stablehlo.divide %289, %288 : tensor<8x16x1xf32>
    %291 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %293 = stablehlo.multiply %287, %292 : tensor<8x16x32xf32>
    %294 = stablehlo.broadcast_in_dim %arg28, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %296 = stablehlo.add %293, %295 : tensor<8x16x32xf32>
    %297 = stablehlo.dot_general %296, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x96xf32>) -> tensor<8x16x96xf32>
    %298 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %299 = stablehlo.iota dim = 0 : tensor<96xi32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [2] : (tensor<96xi32>) -> tensor<1x1x96xi32>
    %301 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<8x16x1xi32>) -> tensor<8x16x96xi32>
    %302 = stablehlo.broadcast_in_dim %300, dims = [0, 1, 2] : (tensor<1x1x96xi32>) -> tensor<8x16x96xi32>
    %303 = stablehlo.compare EQ, %301, %302, SIGNED : (tensor<8x16x96xi32>, tensor<8x16x96xi32>) -> tensor<8x16x96xi1>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304:2 = call @_where_0(%303, %297, %cst_71) : (tensor<8x16x96xi1>, tensor<8x16x96xf32>, tensor<f32>) -> (tensor<8x16x96xf32>, tensor<8x16x96xf32>)
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.reduce(%304#0 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x16x96xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_73 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %306 = stablehlo.reduce(%297 init: %cst_73) applies stablehlo.maximum across dimensions = [2] : (tensor<8x16x96xf32>, tensor<f32>) -> tensor<8x16xf32>
    %307 = stablehlo.reshape %306 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x96xf32>
    %309 = stablehlo.compare EQ, %297, %308, FLOAT : (tensor<8x16x96xf32>, tensor<8x16x96xf32>) -> tensor<8x16x96xi1>
    %310 = stablehlo.convert %309 : (tensor<8x16x96xi1>) -> tensor<8x16x96xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.reduce(%310 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<8x16x96xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_75 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %313 = stablehlo.maximum %312, %306 : tensor<8x16xf32>
    %314 = stablehlo.compare EQ, %306, %313, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %317 = stablehlo.select %314, %315, %316 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_78 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %319 = stablehlo.compare EQ, %318, %313, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_79 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %322 = stablehlo.select %319, %320, %321 : tensor<8x16xi1>, tensor<8x16xf32>
    %323 = stablehlo.divide %317, %322 : tensor<8x16xf32>
    %324 = stablehlo.is_finite %313 : (tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %326 = stablehlo.select %324, %313, %325 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %328 = stablehlo.broadcast_in_dim %326, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x96xf32>
    %330 = stablehlo.subtract %297, %329 : tensor<8x16x96xf32>
    %331 = stablehlo.exponential %330 : tensor<8x16x96xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_83) applies stablehlo.add across dimensions = [2] : (tensor<8x16x96xf32>, tensor<f32>) -> tensor<8x16xf32>
    %333 = stablehlo.sign %332 : tensor<8x16xf32>
    %334 = stablehlo.abs %332 : tensor<8x16xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %336 = stablehlo.compare GE, %332, %335, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %337 = stablehlo.log %334 : tensor<8x16xf32>
    %338 = stablehlo.add %337, %326 : tensor<8x16xf32>
    %339 = stablehlo.subtract %338, %305 : tensor<8x16xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.reduce(%339 init: %cst_85) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_86 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %341 = stablehlo.divide %340, %cst_86 : tensor<f32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_88 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %342 = stablehlo.divide %cst_87, %cst_88 : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %344 = stablehlo.negate %343 : tensor<8x16xf32>
    %345 = stablehlo.divide %343, %334 : tensor<8x16xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %347 = stablehlo.select %336, %346, %345 : tensor<8x16xi1>, tensor<8x16xf32>
    %348 = stablehlo.select %336, %345, %346 : tensor<8x16xi1>, tensor<8x16xf32>
    %349 = stablehlo.negate %347 : tensor<8x16xf32>
    %350 = stablehlo.add %348, %349 : tensor<8x16xf32>
    %351 = stablehlo.broadcast_in_dim %350, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x96xf32>
    %352 = stablehlo.multiply %351, %331 : tensor<8x16x96xf32>
    %353 = stablehlo.broadcast_in_dim %344, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x96xf32>
    %354 = call @_where_1(%303, %304#1, %353) : (tensor<8x16x96xi1>, tensor<8x16x96xf32>, tensor<8x16x96xf32>) -> tensor<8x16x96xf32>
    %355 = stablehlo.add %352, %354 : tensor<8x16x96xf32>
    %356 = stablehlo.dot_general %355, %296, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x96xf32>, tensor<8x16x32xf32>) -> tensor<96x32xf32>
    %357 = stablehlo.transpose %356, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %358 = stablehlo.dot_general %355, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x96xf32>, tensor<32x96xf32>) -> tensor<8x16x32xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_90) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %360 = stablehlo.reshape %359 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.reduce(%360 init: %cst_91) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %362 = stablehlo.multiply %287, %358 : tensor<8x16x32xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %363 = stablehlo.reduce(%362 init: %cst_92) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %364 = stablehlo.reshape %363 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %365 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %366 = stablehlo.multiply %358, %365 : tensor<8x16x32xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%364 init: %cst_93) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %368 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %369 = stablehlo.multiply %366, %368 : tensor<8x16x32xf32>
    %370 = stablehlo.multiply %369, %275 : tensor<8x16x32xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_94) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %372 = stablehlo.reshape %371 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %373 = stablehlo.negate %372 : tensor<8x16x1xf32>
    %374 = stablehlo.broadcast_in_dim %283, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %375 = stablehlo.divide %366, %374 : tensor<8x16x32xf32>
    %376 = stablehlo.multiply %373, %285 : tensor<8x16x1xf32>
    %cst_95 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %378 = stablehlo.divide %376, %377 : tensor<8x16x1xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %379 = stablehlo.reduce(%378 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %380 = stablehlo.broadcast_in_dim %379, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %381 = stablehlo.multiply %275, %380 : tensor<8x16x32xf32>
    %382 = stablehlo.add %375, %381 : tensor<8x16x32xf32>
    %383 = stablehlo.multiply %380, %275 : tensor<8x16x32xf32>
    %384 = stablehlo.add %382, %383 : tensor<8x16x32xf32>
    %385 = stablehlo.negate %384 : tensor<8x16x32xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%385 init: %cst_97) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %387 = stablehlo.reshape %386 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_98 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %389 = stablehlo.divide %387, %388 : tensor<8x16x1xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %390 = stablehlo.reduce(%389 init: %cst_99) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %392 = stablehlo.add %384, %391 : tensor<8x16x32xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %393 = stablehlo.reduce(%392 init: %cst_100) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %394 = stablehlo.reshape %393 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %395 = stablehlo.reduce(%394 init: %cst_101) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %396 = stablehlo.dot_general %392, %264, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x128xf32>) -> tensor<32x128xf32>
    %397 = stablehlo.transpose %396, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %398 = stablehlo.dot_general %392, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<128x32xf32>) -> tensor<8x16x128xf32>
    %399 = stablehlo.multiply %246, %398 : tensor<8x16x128xf32>
    %400 = stablehlo.multiply %398, %263 : tensor<8x16x128xf32>
    %cst_102 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %402 = stablehlo.multiply %401, %399 : tensor<8x16x128xf32>
    %403 = stablehlo.multiply %402, %259 : tensor<8x16x128xf32>
    %404 = stablehlo.multiply %403, %257 : tensor<8x16x128xf32>
    %405 = stablehlo.add %403, %404 : tensor<8x16x128xf32>
    %cst_103 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %407 = stablehlo.multiply %406, %405 : tensor<8x16x128xf32>
    %408 = stablehlo.add %400, %407 : tensor<8x16x128xf32>
    %cst_104 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %410 = stablehlo.multiply %409, %407 : tensor<8x16x128xf32>
    %411 = stablehlo.multiply %410, %251 : tensor<8x16x128xf32>
    %412 = stablehlo.add %408, %411 : tensor<8x16x128xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.reduce(%412 init: %cst_105) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x128xf32>, tensor<f32>) -> tensor<128xf32>
    %414 = stablehlo.reshape %413 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %415 = stablehlo.reduce(%414 init: %cst_106) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %416 = stablehlo.dot_general %412, %242, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %417 = stablehlo.transpose %416, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %418 = stablehlo.dot_general %412, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<32x128xf32>) -> tensor<8x16x32xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.reduce(%418 init: %cst_107) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %420 = stablehlo.reshape %419 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.reduce(%420 init: %cst_108) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %422 = stablehlo.multiply %233, %418 : tensor<8x16x32xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%422 init: %cst_109) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %424 = stablehlo.reshape %423 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %425 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %426 = stablehlo.multiply %418, %425 : tensor<8x16x32xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %427 = stablehlo.reduce(%424 init: %cst_110) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %428 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %429 = stablehlo.multiply %426, %428 : tensor<8x16x32xf32>
    %430 = stablehlo.multiply %429, %221 : tensor<8x16x32xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %431 = stablehlo.reduce(%430 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %432 = stablehlo.reshape %431 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %433 = stablehlo.negate %432 : tensor<8x16x1xf32>
    %434 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %435 = stablehlo.divide %426, %434 : tensor<8x16x32xf32>
    %436 = stablehlo.multiply %433, %231 : tensor<8x16x1xf32>
    %cst_112 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %438 = stablehlo.divide %436, %437 : tensor<8x16x1xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.reduce(%438 init: %cst_113) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %440 = stablehlo.broadcast_in_dim %439, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %441 = stablehlo.multiply %221, %440 : tensor<8x16x32xf32>
    %442 = stablehlo.add %435, %441 : tensor<8x16x32xf32>
    %443 = stablehlo.multiply %440, %221 : tensor<8x16x32xf32>
    %444 = stablehlo.add %442, %443 : tensor<8x16x32xf32>
    %445 = stablehlo.negate %444 : tensor<8x16x32xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %446 = stablehlo.reduce(%445 init: %cst_114) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %447 = stablehlo.reshape %446 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %448 = stablehlo.add %392, %444 : tensor<8x16x32xf32>
    %cst_115 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %450 = stablehlo.divide %447, %449 : tensor<8x16x1xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %451 = stablehlo.reduce(%450 init: %cst_116) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %452 = stablehlo.broadcast_in_dim %451, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %453 = stablehlo.add %448, %452 : tensor<8x16x32xf32>
    %454 = stablehlo.dot_general %453, %213, contracting_dims = [0, 1] x [0, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x4x16x8xf32>) -> tensor<32x4x8xf32>
    %455 = stablehlo.transpose %454, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %456 = stablehlo.dot_general %453, %arg17, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %457 = stablehlo.transpose %456, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %458 = stablehlo.dot_general %457, %209, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %459 = stablehlo.transpose %458, dims = [0, 1, 3, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x4x16x8xf32>
    %460 = stablehlo.dot_general %457, %173, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %461 = stablehlo.broadcast_in_dim %212, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %462 = stablehlo.multiply %460, %461 : tensor<8x4x16x16xf32>
    %463 = stablehlo.multiply %462, %205 : tensor<8x4x16x16xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.reduce(%463 init: %cst_117) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %465 = stablehlo.reshape %464 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %466 = stablehlo.negate %465 : tensor<8x4x16x1xf32>
    %467 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %468 = stablehlo.divide %460, %467 : tensor<8x4x16x16xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %469 = stablehlo.reduce(%466 init: %cst_118) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %470 = stablehlo.broadcast_in_dim %469, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %471 = stablehlo.add %468, %470 : tensor<8x4x16x16xf32>
    %472 = stablehlo.multiply %471, %205 : tensor<8x4x16x16xf32>
    %473 = call @_where_2(%183#1, %183#2, %472) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_119 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %474 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %475 = stablehlo.divide %473, %474 : tensor<8x4x16x16xf32>
    %476 = stablehlo.dot_general %475, %169, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %477 = stablehlo.dot_general %475, %171, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %478 = stablehlo.transpose %459, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %479 = stablehlo.dot_general %478, %arg25, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %480 = stablehlo.dot_general %478, %167, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %481 = stablehlo.transpose %480, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %482 = stablehlo.transpose %476, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %483 = stablehlo.dot_general %482, %arg16, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %484 = stablehlo.add %479, %483 : tensor<8x16x32xf32>
    %485 = stablehlo.dot_general %482, %167, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %486 = stablehlo.transpose %485, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %487 = stablehlo.transpose %477, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %488 = stablehlo.dot_general %487, %arg18, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %489 = stablehlo.add %484, %488 : tensor<8x16x32xf32>
    %490 = stablehlo.dot_general %487, %167, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %491 = stablehlo.transpose %490, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %492 = stablehlo.reduce(%489 init: %cst_120) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %493 = stablehlo.reshape %492 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %494 = stablehlo.reduce(%493 init: %cst_121) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %495 = stablehlo.multiply %158, %489 : tensor<8x16x32xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %496 = stablehlo.reduce(%495 init: %cst_122) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %497 = stablehlo.reshape %496 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %498 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %499 = stablehlo.multiply %489, %498 : tensor<8x16x32xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %500 = stablehlo.reduce(%497 init: %cst_123) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %501 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %502 = stablehlo.multiply %499, %501 : tensor<8x16x32xf32>
    %503 = stablehlo.multiply %502, %146 : tensor<8x16x32xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %504 = stablehlo.reduce(%503 init: %cst_124) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %505 = stablehlo.reshape %504 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %506 = stablehlo.negate %505 : tensor<8x16x1xf32>
    %507 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %508 = stablehlo.divide %499, %507 : tensor<8x16x32xf32>
    %509 = stablehlo.multiply %506, %156 : tensor<8x16x1xf32>
    %cst_125 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %511 = stablehlo.divide %509, %510 : tensor<8x16x1xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %512 = stablehlo.reduce(%511 init: %cst_126) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %513 = stablehlo.broadcast_in_dim %512, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %514 = stablehlo.multiply %146, %513 : tensor<8x16x32xf32>
    %515 = stablehlo.add %508, %514 : tensor<8x16x32xf32>
    %516 = stablehlo.multiply %513, %146 : tensor<8x16x32xf32>
    %517 = stablehlo.add %515, %516 : tensor<8x16x32xf32>
    %518 = stablehlo.negate %517 : tensor<8x16x32xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %519 = stablehlo.reduce(%518 init: %cst_127) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %520 = stablehlo.reshape %519 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %521 = stablehlo.add %453, %517 : tensor<8x16x32xf32>
    %cst_128 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %523 = stablehlo.divide %520, %522 : tensor<8x16x1xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %524 = stablehlo.reduce(%523 init: %cst_129) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %525 = stablehlo.broadcast_in_dim %524, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %526 = stablehlo.add %521, %525 : tensor<8x16x32xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.reduce(%526 init: %cst_130) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %528 = stablehlo.reshape %527 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %529 = stablehlo.reduce(%528 init: %cst_131) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %530 = stablehlo.dot_general %526, %135, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x128xf32>) -> tensor<32x128xf32>
    %531 = stablehlo.transpose %530, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %532 = stablehlo.dot_general %526, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<128x32xf32>) -> tensor<8x16x128xf32>
    %533 = stablehlo.multiply %117, %532 : tensor<8x16x128xf32>
    %534 = stablehlo.multiply %532, %134 : tensor<8x16x128xf32>
    %cst_132 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %536 = stablehlo.multiply %535, %533 : tensor<8x16x128xf32>
    %537 = stablehlo.multiply %536, %130 : tensor<8x16x128xf32>
    %538 = stablehlo.multiply %537, %128 : tensor<8x16x128xf32>
    %539 = stablehlo.add %537, %538 : tensor<8x16x128xf32>
    %cst_133 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %541 = stablehlo.multiply %540, %539 : tensor<8x16x128xf32>
    %542 = stablehlo.add %534, %541 : tensor<8x16x128xf32>
    %cst_134 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %544 = stablehlo.multiply %543, %541 : tensor<8x16x128xf32>
    %545 = stablehlo.multiply %544, %122 : tensor<8x16x128xf32>
    %546 = stablehlo.add %542, %545 : tensor<8x16x128xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %547 = stablehlo.reduce(%546 init: %cst_135) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x128xf32>, tensor<f32>) -> tensor<128xf32>
    %548 = stablehlo.reshape %547 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %549 = stablehlo.reduce(%548 init: %cst_136) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %550 = stablehlo.dot_general %546, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %551 = stablehlo.transpose %550, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %552 = stablehlo.dot_general %546, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<32x128xf32>) -> tensor<8x16x32xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %553 = stablehlo.reduce(%552 init: %cst_137) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %554 = stablehlo.reshape %553 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %555 = stablehlo.reduce(%554 init: %cst_138) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %556 = stablehlo.multiply %104, %552 : tensor<8x16x32xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%556 init: %cst_139) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %558 = stablehlo.reshape %557 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %559 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %560 = stablehlo.multiply %552, %559 : tensor<8x16x32xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.reduce(%558 init: %cst_140) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %562 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %563 = stablehlo.multiply %560, %562 : tensor<8x16x32xf32>
    %564 = stablehlo.multiply %563, %92 : tensor<8x16x32xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %565 = stablehlo.reduce(%564 init: %cst_141) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %566 = stablehlo.reshape %565 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %567 = stablehlo.negate %566 : tensor<8x16x1xf32>
    %568 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %569 = stablehlo.divide %560, %568 : tensor<8x16x32xf32>
    %570 = stablehlo.multiply %567, %102 : tensor<8x16x1xf32>
    %cst_142 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %571 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %572 = stablehlo.divide %570, %571 : tensor<8x16x1xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %573 = stablehlo.reduce(%572 init: %cst_143) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %574 = stablehlo.broadcast_in_dim %573, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %575 = stablehlo.multiply %92, %574 : tensor<8x16x32xf32>
    %576 = stablehlo.add %569, %575 : tensor<8x16x32xf32>
    %577 = stablehlo.multiply %574, %92 : tensor<8x16x32xf32>
    %578 = stablehlo.add %576, %577 : tensor<8x16x32xf32>
    %579 = stablehlo.negate %578 : tensor<8x16x32xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %580 = stablehlo.reduce(%579 init: %cst_144) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %581 = stablehlo.reshape %580 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %582 = stablehlo.add %526, %578 : tensor<8x16x32xf32>
    %cst_145 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %584 = stablehlo.divide %581, %583 : tensor<8x16x1xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %585 = stablehlo.reduce(%584 init: %cst_146) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %586 = stablehlo.broadcast_in_dim %585, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %587 = stablehlo.add %582, %586 : tensor<8x16x32xf32>
    %588 = stablehlo.dot_general %587, %84, contracting_dims = [0, 1] x [0, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x4x16x8xf32>) -> tensor<32x4x8xf32>
    %589 = stablehlo.transpose %588, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %590 = stablehlo.dot_general %587, %arg5, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %591 = stablehlo.transpose %590, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %592 = stablehlo.dot_general %591, %80, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %593 = stablehlo.transpose %592, dims = [0, 1, 3, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x4x16x8xf32>
    %594 = stablehlo.dot_general %591, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %595 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %596 = stablehlo.multiply %594, %595 : tensor<8x4x16x16xf32>
    %597 = stablehlo.multiply %596, %76 : tensor<8x4x16x16xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %598 = stablehlo.reduce(%597 init: %cst_147) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %599 = stablehlo.reshape %598 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %600 = stablehlo.negate %599 : tensor<8x4x16x1xf32>
    %601 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %602 = stablehlo.divide %594, %601 : tensor<8x4x16x16xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %603 = stablehlo.reduce(%600 init: %cst_148) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %604 = stablehlo.broadcast_in_dim %603, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %605 = stablehlo.add %602, %604 : tensor<8x4x16x16xf32>
    %606 = stablehlo.multiply %605, %76 : tensor<8x4x16x16xf32>
    %607 = call @_where_2(%54#1, %54#2, %606) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_149 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %609 = stablehlo.divide %607, %608 : tensor<8x4x16x16xf32>
    %610 = stablehlo.dot_general %609, %40, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %611 = stablehlo.dot_general %609, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %612 = stablehlo.transpose %593, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %613 = stablehlo.dot_general %612, %arg13, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %614 = stablehlo.dot_general %612, %38, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %615 = stablehlo.transpose %614, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %616 = stablehlo.transpose %610, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %617 = stablehlo.dot_general %616, %arg4, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %618 = stablehlo.add %613, %617 : tensor<8x16x32xf32>
    %619 = stablehlo.dot_general %616, %38, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %620 = stablehlo.transpose %619, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %621 = stablehlo.transpose %611, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %622 = stablehlo.dot_general %621, %arg6, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %623 = stablehlo.add %618, %622 : tensor<8x16x32xf32>
    %624 = stablehlo.dot_general %621, %38, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %625 = stablehlo.transpose %624, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %626 = stablehlo.reduce(%623 init: %cst_150) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %627 = stablehlo.reshape %626 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %628 = stablehlo.reduce(%627 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %629 = stablehlo.multiply %29, %623 : tensor<8x16x32xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %630 = stablehlo.reduce(%629 init: %cst_152) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %631 = stablehlo.reshape %630 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %632 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %633 = stablehlo.multiply %623, %632 : tensor<8x16x32xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %634 = stablehlo.reduce(%631 init: %cst_153) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %635 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %636 = stablehlo.multiply %633, %635 : tensor<8x16x32xf32>
    %637 = stablehlo.multiply %636, %17 : tensor<8x16x32xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %638 = stablehlo.reduce(%637 init: %cst_154) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %639 = stablehlo.reshape %638 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %640 = stablehlo.negate %639 : tensor<8x16x1xf32>
    %641 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %642 = stablehlo.divide %633, %641 : tensor<8x16x32xf32>
    %643 = stablehlo.multiply %640, %27 : tensor<8x16x1xf32>
    %cst_155 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %644 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %645 = stablehlo.divide %643, %644 : tensor<8x16x1xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %646 = stablehlo.reduce(%645 init: %cst_156) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %647 = stablehlo.broadcast_in_dim %646, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %648 = stablehlo.multiply %17, %647 : tensor<8x16x32xf32>
    %649 = stablehlo.add %642, %648 : tensor<8x16x32xf32>
    %650 = stablehlo.multiply %647, %17 : tensor<8x16x32xf32>
    %651 = stablehlo.add %649, %650 : tensor<8x16x32xf32>
    %652 = stablehlo.negate %651 : tensor<8x16x32xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %653 = stablehlo.reduce(%652 init: %cst_157) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %654 = stablehlo.reshape %653 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %655 = stablehlo.add %587, %651 : tensor<8x16x32xf32>
    %cst_158 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %657 = stablehlo.divide %654, %656 : tensor<8x16x1xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %658 = stablehlo.reduce(%657 init: %cst_159) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %659 = stablehlo.broadcast_in_dim %658, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %660 = stablehlo.add %655, %659 : tensor<8x16x32xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %661 = stablehlo.reduce(%660 init: %cst_160) applies stablehlo.add across dimensions = [0] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %662 = stablehlo.reshape %661 : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %663 = stablehlo.reduce(%662 init: %cst_161) applies stablehlo.add across dimensions = [0] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %665 = "stablehlo.scatter"(%664, %7, %660) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
      %1311 = stablehlo.add %arg89, %arg90 : tensor<f32>
      stablehlo.return %1311 : tensor<f32>
    }) : (tensor<96x32xf32>, tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<96x32xf32>
    %c_163 = stablehlo.constant dense<1> : tensor<i32>
    %666 = stablehlo.add %arg87, %c_163 : tensor<i32>
    %cst_164 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %668 = stablehlo.multiply %667, %arg29 : tensor<96x32xf32>
    %cst_165 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %670 = stablehlo.multiply %669, %665 : tensor<96x32xf32>
    %671 = stablehlo.add %668, %670 : tensor<96x32xf32>
    %cst_166 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %672 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %673 = stablehlo.multiply %672, %arg30 : tensor<32x96xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %675 = stablehlo.multiply %674, %357 : tensor<32x96xf32>
    %676 = stablehlo.add %673, %675 : tensor<32x96xf32>
    %cst_168 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %677 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %678 = stablehlo.multiply %677, %arg31 : tensor<128x32xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %679 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %680 = stablehlo.multiply %679, %531 : tensor<128x32xf32>
    %681 = stablehlo.add %678, %680 : tensor<128x32xf32>
    %cst_170 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %682 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %683 = stablehlo.multiply %682, %arg32 : tensor<32xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %685 = stablehlo.multiply %684, %529 : tensor<32xf32>
    %686 = stablehlo.add %683, %685 : tensor<32xf32>
    %cst_172 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %688 = stablehlo.multiply %687, %arg33 : tensor<32x4x8xf32>
    %cst_173 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %689 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %690 = stablehlo.multiply %689, %620 : tensor<32x4x8xf32>
    %691 = stablehlo.add %688, %690 : tensor<32x4x8xf32>
    %cst_174 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %693 = stablehlo.multiply %692, %arg34 : tensor<4x8x32xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %695 = stablehlo.multiply %694, %589 : tensor<4x8x32xf32>
    %696 = stablehlo.add %693, %695 : tensor<4x8x32xf32>
    %cst_176 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %697 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %698 = stablehlo.multiply %697, %arg35 : tensor<32x4x8xf32>
    %cst_177 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %700 = stablehlo.multiply %699, %625 : tensor<32x4x8xf32>
    %701 = stablehlo.add %698, %700 : tensor<32x4x8xf32>
    %cst_178 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %702 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %703 = stablehlo.multiply %702, %arg36 : tensor<32xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %705 = stablehlo.multiply %704, %634 : tensor<32xf32>
    %706 = stablehlo.add %703, %705 : tensor<32xf32>
    %cst_180 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %708 = stablehlo.multiply %707, %arg37 : tensor<32xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %710 = stablehlo.multiply %709, %561 : tensor<32xf32>
    %711 = stablehlo.add %708, %710 : tensor<32xf32>
    %cst_182 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %713 = stablehlo.multiply %712, %arg38 : tensor<32xf32>
    %cst_183 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %714 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %715 = stablehlo.multiply %714, %628 : tensor<32xf32>
    %716 = stablehlo.add %713, %715 : tensor<32xf32>
    %cst_184 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %718 = stablehlo.multiply %717, %arg39 : tensor<32xf32>
    %cst_185 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %720 = stablehlo.multiply %719, %555 : tensor<32xf32>
    %721 = stablehlo.add %718, %720 : tensor<32xf32>
    %cst_186 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %723 = stablehlo.multiply %722, %arg40 : tensor<32x128xf32>
    %cst_187 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %725 = stablehlo.multiply %724, %551 : tensor<32x128xf32>
    %726 = stablehlo.add %723, %725 : tensor<32x128xf32>
    %cst_188 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %728 = stablehlo.multiply %727, %arg41 : tensor<128xf32>
    %cst_189 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %729 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %730 = stablehlo.multiply %729, %549 : tensor<128xf32>
    %731 = stablehlo.add %728, %730 : tensor<128xf32>
    %cst_190 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %732 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %733 = stablehlo.multiply %732, %arg42 : tensor<32x4x8xf32>
    %cst_191 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %735 = stablehlo.multiply %734, %615 : tensor<32x4x8xf32>
    %736 = stablehlo.add %733, %735 : tensor<32x4x8xf32>
    %cst_192 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %737 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %738 = stablehlo.multiply %737, %arg43 : tensor<128x32xf32>
    %cst_193 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %740 = stablehlo.multiply %739, %397 : tensor<128x32xf32>
    %741 = stablehlo.add %738, %740 : tensor<128x32xf32>
    %cst_194 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %742 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %743 = stablehlo.multiply %742, %arg44 : tensor<32xf32>
    %cst_195 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %744 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %745 = stablehlo.multiply %744, %395 : tensor<32xf32>
    %746 = stablehlo.add %743, %745 : tensor<32xf32>
    %cst_196 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %747 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %748 = stablehlo.multiply %747, %arg45 : tensor<32x4x8xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %749 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %750 = stablehlo.multiply %749, %486 : tensor<32x4x8xf32>
    %751 = stablehlo.add %748, %750 : tensor<32x4x8xf32>
    %cst_198 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %752 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %753 = stablehlo.multiply %752, %arg46 : tensor<4x8x32xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %755 = stablehlo.multiply %754, %455 : tensor<4x8x32xf32>
    %756 = stablehlo.add %753, %755 : tensor<4x8x32xf32>
    %cst_200 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %758 = stablehlo.multiply %757, %arg47 : tensor<32x4x8xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %760 = stablehlo.multiply %759, %491 : tensor<32x4x8xf32>
    %761 = stablehlo.add %758, %760 : tensor<32x4x8xf32>
    %cst_202 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %762 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %763 = stablehlo.multiply %762, %arg48 : tensor<32xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %764 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %765 = stablehlo.multiply %764, %500 : tensor<32xf32>
    %766 = stablehlo.add %763, %765 : tensor<32xf32>
    %cst_204 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %767 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %768 = stablehlo.multiply %767, %arg49 : tensor<32xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %769 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %770 = stablehlo.multiply %769, %427 : tensor<32xf32>
    %771 = stablehlo.add %768, %770 : tensor<32xf32>
    %cst_206 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %772 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %773 = stablehlo.multiply %772, %arg50 : tensor<32xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %774 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %775 = stablehlo.multiply %774, %494 : tensor<32xf32>
    %776 = stablehlo.add %773, %775 : tensor<32xf32>
    %cst_208 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %777 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %778 = stablehlo.multiply %777, %arg51 : tensor<32xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %779 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %780 = stablehlo.multiply %779, %421 : tensor<32xf32>
    %781 = stablehlo.add %778, %780 : tensor<32xf32>
    %cst_210 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %782 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %783 = stablehlo.multiply %782, %arg52 : tensor<32x128xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %785 = stablehlo.multiply %784, %417 : tensor<32x128xf32>
    %786 = stablehlo.add %783, %785 : tensor<32x128xf32>
    %cst_212 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %787 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %788 = stablehlo.multiply %787, %arg53 : tensor<128xf32>
    %cst_213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %789 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %790 = stablehlo.multiply %789, %415 : tensor<128xf32>
    %791 = stablehlo.add %788, %790 : tensor<128xf32>
    %cst_214 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %792 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %793 = stablehlo.multiply %792, %arg54 : tensor<32x4x8xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %794 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %795 = stablehlo.multiply %794, %481 : tensor<32x4x8xf32>
    %796 = stablehlo.add %793, %795 : tensor<32x4x8xf32>
    %cst_216 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %797 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %798 = stablehlo.multiply %797, %arg55 : tensor<16x32xf32>
    %cst_217 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %800 = stablehlo.multiply %799, %663 : tensor<16x32xf32>
    %801 = stablehlo.add %798, %800 : tensor<16x32xf32>
    %cst_218 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %802 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %803 = stablehlo.multiply %802, %arg56 : tensor<32xf32>
    %cst_219 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %804 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %805 = stablehlo.multiply %804, %367 : tensor<32xf32>
    %806 = stablehlo.add %803, %805 : tensor<32xf32>
    %cst_220 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %807 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %808 = stablehlo.multiply %807, %arg57 : tensor<32xf32>
    %cst_221 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %809 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %810 = stablehlo.multiply %809, %361 : tensor<32xf32>
    %811 = stablehlo.add %808, %810 : tensor<32xf32>
    %cst_222 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %812 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %813 = stablehlo.multiply %812, %arg58 : tensor<96x32xf32>
    %cst_223 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %814 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %815 = stablehlo.multiply %814, %665 : tensor<96x32xf32>
    %816 = stablehlo.multiply %815, %665 : tensor<96x32xf32>
    %817 = stablehlo.add %813, %816 : tensor<96x32xf32>
    %cst_224 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %818 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %819 = stablehlo.multiply %818, %arg59 : tensor<32x96xf32>
    %cst_225 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %820 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %821 = stablehlo.multiply %820, %357 : tensor<32x96xf32>
    %822 = stablehlo.multiply %821, %357 : tensor<32x96xf32>
    %823 = stablehlo.add %819, %822 : tensor<32x96xf32>
    %cst_226 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %824 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %825 = stablehlo.multiply %824, %arg60 : tensor<128x32xf32>
    %cst_227 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %826 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %827 = stablehlo.multiply %826, %531 : tensor<128x32xf32>
    %828 = stablehlo.multiply %827, %531 : tensor<128x32xf32>
    %829 = stablehlo.add %825, %828 : tensor<128x32xf32>
    %cst_228 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %830 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %831 = stablehlo.multiply %830, %arg61 : tensor<32xf32>
    %cst_229 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %833 = stablehlo.multiply %832, %529 : tensor<32xf32>
    %834 = stablehlo.multiply %833, %529 : tensor<32xf32>
    %835 = stablehlo.add %831, %834 : tensor<32xf32>
    %cst_230 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %836 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %837 = stablehlo.multiply %836, %arg62 : tensor<32x4x8xf32>
    %cst_231 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %838 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %839 = stablehlo.multiply %838, %620 : tensor<32x4x8xf32>
    %840 = stablehlo.multiply %839, %620 : tensor<32x4x8xf32>
    %841 = stablehlo.add %837, %840 : tensor<32x4x8xf32>
    %cst_232 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %842 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %843 = stablehlo.multiply %842, %arg63 : tensor<4x8x32xf32>
    %cst_233 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %845 = stablehlo.multiply %844, %589 : tensor<4x8x32xf32>
    %846 = stablehlo.multiply %845, %589 : tensor<4x8x32xf32>
    %847 = stablehlo.add %843, %846 : tensor<4x8x32xf32>
    %cst_234 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %848 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %849 = stablehlo.multiply %848, %arg64 : tensor<32x4x8xf32>
    %cst_235 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %850 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %851 = stablehlo.multiply %850, %625 : tensor<32x4x8xf32>
    %852 = stablehlo.multiply %851, %625 : tensor<32x4x8xf32>
    %853 = stablehlo.add %849, %852 : tensor<32x4x8xf32>
    %cst_236 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %854 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %855 = stablehlo.multiply %854, %arg65 : tensor<32xf32>
    %cst_237 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %857 = stablehlo.multiply %856, %634 : tensor<32xf32>
    %858 = stablehlo.multiply %857, %634 : tensor<32xf32>
    %859 = stablehlo.add %855, %858 : tensor<32xf32>
    %cst_238 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %860 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %861 = stablehlo.multiply %860, %arg66 : tensor<32xf32>
    %cst_239 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %862 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %863 = stablehlo.multiply %862, %561 : tensor<32xf32>
    %864 = stablehlo.multiply %863, %561 : tensor<32xf32>
    %865 = stablehlo.add %861, %864 : tensor<32xf32>
    %cst_240 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %866 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %867 = stablehlo.multiply %866, %arg67 : tensor<32xf32>
    %cst_241 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %868 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %869 = stablehlo.multiply %868, %628 : tensor<32xf32>
    %870 = stablehlo.multiply %869, %628 : tensor<32xf32>
    %871 = stablehlo.add %867, %870 : tensor<32xf32>
    %cst_242 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %872 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %873 = stablehlo.multiply %872, %arg68 : tensor<32xf32>
    %cst_243 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %874 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %875 = stablehlo.multiply %874, %555 : tensor<32xf32>
    %876 = stablehlo.multiply %875, %555 : tensor<32xf32>
    %877 = stablehlo.add %873, %876 : tensor<32xf32>
    %cst_244 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %878 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %879 = stablehlo.multiply %878, %arg69 : tensor<32x128xf32>
    %cst_245 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %881 = stablehlo.multiply %880, %551 : tensor<32x128xf32>
    %882 = stablehlo.multiply %881, %551 : tensor<32x128xf32>
    %883 = stablehlo.add %879, %882 : tensor<32x128xf32>
    %cst_246 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %884 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %885 = stablehlo.multiply %884, %arg70 : tensor<128xf32>
    %cst_247 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %887 = stablehlo.multiply %886, %549 : tensor<128xf32>
    %888 = stablehlo.multiply %887, %549 : tensor<128xf32>
    %889 = stablehlo.add %885, %888 : tensor<128xf32>
    %cst_248 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %890 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %891 = stablehlo.multiply %890, %arg71 : tensor<32x4x8xf32>
    %cst_249 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %892 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %893 = stablehlo.multiply %892, %615 : tensor<32x4x8xf32>
    %894 = stablehlo.multiply %893, %615 : tensor<32x4x8xf32>
    %895 = stablehlo.add %891, %894 : tensor<32x4x8xf32>
    %cst_250 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %896 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %897 = stablehlo.multiply %896, %arg72 : tensor<128x32xf32>
    %cst_251 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %898 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %899 = stablehlo.multiply %898, %397 : tensor<128x32xf32>
    %900 = stablehlo.multiply %899, %397 : tensor<128x32xf32>
    %901 = stablehlo.add %897, %900 : tensor<128x32xf32>
    %cst_252 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %902 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %903 = stablehlo.multiply %902, %arg73 : tensor<32xf32>
    %cst_253 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %904 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %905 = stablehlo.multiply %904, %395 : tensor<32xf32>
    %906 = stablehlo.multiply %905, %395 : tensor<32xf32>
    %907 = stablehlo.add %903, %906 : tensor<32xf32>
    %cst_254 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %908 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %909 = stablehlo.multiply %908, %arg74 : tensor<32x4x8xf32>
    %cst_255 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %910 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %911 = stablehlo.multiply %910, %486 : tensor<32x4x8xf32>
    %912 = stablehlo.multiply %911, %486 : tensor<32x4x8xf32>
    %913 = stablehlo.add %909, %912 : tensor<32x4x8xf32>
    %cst_256 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %914 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %915 = stablehlo.multiply %914, %arg75 : tensor<4x8x32xf32>
    %cst_257 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %916 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %917 = stablehlo.multiply %916, %455 : tensor<4x8x32xf32>
    %918 = stablehlo.multiply %917, %455 : tensor<4x8x32xf32>
    %919 = stablehlo.add %915, %918 : tensor<4x8x32xf32>
    %cst_258 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %920 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %921 = stablehlo.multiply %920, %arg76 : tensor<32x4x8xf32>
    %cst_259 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %922 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %923 = stablehlo.multiply %922, %491 : tensor<32x4x8xf32>
    %924 = stablehlo.multiply %923, %491 : tensor<32x4x8xf32>
    %925 = stablehlo.add %921, %924 : tensor<32x4x8xf32>
    %cst_260 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %926 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %927 = stablehlo.multiply %926, %arg77 : tensor<32xf32>
    %cst_261 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %928 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %929 = stablehlo.multiply %928, %500 : tensor<32xf32>
    %930 = stablehlo.multiply %929, %500 : tensor<32xf32>
    %931 = stablehlo.add %927, %930 : tensor<32xf32>
    %cst_262 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %932 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %933 = stablehlo.multiply %932, %arg78 : tensor<32xf32>
    %cst_263 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %934 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %935 = stablehlo.multiply %934, %427 : tensor<32xf32>
    %936 = stablehlo.multiply %935, %427 : tensor<32xf32>
    %937 = stablehlo.add %933, %936 : tensor<32xf32>
    %cst_264 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %938 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %939 = stablehlo.multiply %938, %arg79 : tensor<32xf32>
    %cst_265 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %940 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %941 = stablehlo.multiply %940, %494 : tensor<32xf32>
    %942 = stablehlo.multiply %941, %494 : tensor<32xf32>
    %943 = stablehlo.add %939, %942 : tensor<32xf32>
    %cst_266 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %944 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %945 = stablehlo.multiply %944, %arg80 : tensor<32xf32>
    %cst_267 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %946 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %947 = stablehlo.multiply %946, %421 : tensor<32xf32>
    %948 = stablehlo.multiply %947, %421 : tensor<32xf32>
    %949 = stablehlo.add %945, %948 : tensor<32xf32>
    %cst_268 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %950 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %951 = stablehlo.multiply %950, %arg81 : tensor<32x128xf32>
    %cst_269 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %952 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %953 = stablehlo.multiply %952, %417 : tensor<32x128xf32>
    %954 = stablehlo.multiply %953, %417 : tensor<32x128xf32>
    %955 = stablehlo.add %951, %954 : tensor<32x128xf32>
    %cst_270 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %956 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %957 = stablehlo.multiply %956, %arg82 : tensor<128xf32>
    %cst_271 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %958 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %959 = stablehlo.multiply %958, %415 : tensor<128xf32>
    %960 = stablehlo.multiply %959, %415 : tensor<128xf32>
    %961 = stablehlo.add %957, %960 : tensor<128xf32>
    %cst_272 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %962 = stablehlo.broadcast_in_dim %cst_272, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %963 = stablehlo.multiply %962, %arg83 : tensor<32x4x8xf32>
    %cst_273 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %964 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %965 = stablehlo.multiply %964, %481 : tensor<32x4x8xf32>
    %966 = stablehlo.multiply %965, %481 : tensor<32x4x8xf32>
    %967 = stablehlo.add %963, %966 : tensor<32x4x8xf32>
    %cst_274 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %968 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %969 = stablehlo.multiply %968, %arg84 : tensor<16x32xf32>
    %cst_275 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %970 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %971 = stablehlo.multiply %970, %663 : tensor<16x32xf32>
    %972 = stablehlo.multiply %971, %663 : tensor<16x32xf32>
    %973 = stablehlo.add %969, %972 : tensor<16x32xf32>
    %cst_276 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %974 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %975 = stablehlo.multiply %974, %arg85 : tensor<32xf32>
    %cst_277 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %976 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %977 = stablehlo.multiply %976, %367 : tensor<32xf32>
    %978 = stablehlo.multiply %977, %367 : tensor<32xf32>
    %979 = stablehlo.add %975, %978 : tensor<32xf32>
    %cst_278 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %980 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %981 = stablehlo.multiply %980, %arg86 : tensor<32xf32>
    %cst_279 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %982 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %983 = stablehlo.multiply %982, %361 : tensor<32xf32>
    %984 = stablehlo.multiply %983, %361 : tensor<32xf32>
    %985 = stablehlo.add %981, %984 : tensor<32xf32>
    %986 = stablehlo.convert %666 : (tensor<i32>) -> tensor<f32>
    %cst_280 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %987 = stablehlo.power %cst_280, %986 : tensor<f32>
    %cst_281 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %988 = stablehlo.subtract %cst_281, %987 : tensor<f32>
    %989 = stablehlo.convert %666 : (tensor<i32>) -> tensor<f32>
    %cst_282 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %990 = stablehlo.power %cst_282, %989 : tensor<f32>
    %cst_283 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %991 = stablehlo.subtract %cst_283, %990 : tensor<f32>
    %992 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %993 = stablehlo.divide %671, %992 : tensor<96x32xf32>
    %cst_284 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %994 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %995 = stablehlo.multiply %994, %993 : tensor<96x32xf32>
    %996 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %997 = stablehlo.divide %817, %996 : tensor<96x32xf32>
    %998 = stablehlo.sqrt %997 : tensor<96x32xf32>
    %cst_285 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %999 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<96x32xf32>
    %1000 = stablehlo.add %998, %999 : tensor<96x32xf32>
    %1001 = stablehlo.divide %995, %1000 : tensor<96x32xf32>
    %1002 = stablehlo.subtract %arg0, %1001 : tensor<96x32xf32>
    %1003 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %1004 = stablehlo.divide %676, %1003 : tensor<32x96xf32>
    %cst_286 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1005 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %1006 = stablehlo.multiply %1005, %1004 : tensor<32x96xf32>
    %1007 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %1008 = stablehlo.divide %823, %1007 : tensor<32x96xf32>
    %1009 = stablehlo.sqrt %1008 : tensor<32x96xf32>
    %cst_287 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1010 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<32x96xf32>
    %1011 = stablehlo.add %1009, %1010 : tensor<32x96xf32>
    %1012 = stablehlo.divide %1006, %1011 : tensor<32x96xf32>
    %1013 = stablehlo.subtract %arg1, %1012 : tensor<32x96xf32>
    %1014 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1015 = stablehlo.divide %681, %1014 : tensor<128x32xf32>
    %cst_288 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1016 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1017 = stablehlo.multiply %1016, %1015 : tensor<128x32xf32>
    %1018 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1019 = stablehlo.divide %829, %1018 : tensor<128x32xf32>
    %1020 = stablehlo.sqrt %1019 : tensor<128x32xf32>
    %cst_289 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1021 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1022 = stablehlo.add %1020, %1021 : tensor<128x32xf32>
    %1023 = stablehlo.divide %1017, %1022 : tensor<128x32xf32>
    %1024 = stablehlo.subtract %arg2, %1023 : tensor<128x32xf32>
    %1025 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1026 = stablehlo.divide %686, %1025 : tensor<32xf32>
    %cst_290 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1027 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1028 = stablehlo.multiply %1027, %1026 : tensor<32xf32>
    %1029 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1030 = stablehlo.divide %835, %1029 : tensor<32xf32>
    %1031 = stablehlo.sqrt %1030 : tensor<32xf32>
    %cst_291 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1032 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1033 = stablehlo.add %1031, %1032 : tensor<32xf32>
    %1034 = stablehlo.divide %1028, %1033 : tensor<32xf32>
    %1035 = stablehlo.subtract %arg3, %1034 : tensor<32xf32>
    %1036 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1037 = stablehlo.divide %691, %1036 : tensor<32x4x8xf32>
    %cst_292 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1038 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1039 = stablehlo.multiply %1038, %1037 : tensor<32x4x8xf32>
    %1040 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1041 = stablehlo.divide %841, %1040 : tensor<32x4x8xf32>
    %1042 = stablehlo.sqrt %1041 : tensor<32x4x8xf32>
    %cst_293 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1043 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1044 = stablehlo.add %1042, %1043 : tensor<32x4x8xf32>
    %1045 = stablehlo.divide %1039, %1044 : tensor<32x4x8xf32>
    %1046 = stablehlo.subtract %arg4, %1045 : tensor<32x4x8xf32>
    %1047 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1048 = stablehlo.divide %696, %1047 : tensor<4x8x32xf32>
    %cst_294 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1049 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1050 = stablehlo.multiply %1049, %1048 : tensor<4x8x32xf32>
    %1051 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1052 = stablehlo.divide %847, %1051 : tensor<4x8x32xf32>
    %1053 = stablehlo.sqrt %1052 : tensor<4x8x32xf32>
    %cst_295 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1054 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1055 = stablehlo.add %1053, %1054 : tensor<4x8x32xf32>
    %1056 = stablehlo.divide %1050, %1055 : tensor<4x8x32xf32>
    %1057 = stablehlo.subtract %arg5, %1056 : tensor<4x8x32xf32>
    %1058 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1059 = stablehlo.divide %701, %1058 : tensor<32x4x8xf32>
    %cst_296 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1060 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1061 = stablehlo.multiply %1060, %1059 : tensor<32x4x8xf32>
    %1062 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1063 = stablehlo.divide %853, %1062 : tensor<32x4x8xf32>
    %1064 = stablehlo.sqrt %1063 : tensor<32x4x8xf32>
    %cst_297 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1065 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1066 = stablehlo.add %1064, %1065 : tensor<32x4x8xf32>
    %1067 = stablehlo.divide %1061, %1066 : tensor<32x4x8xf32>
    %1068 = stablehlo.subtract %arg6, %1067 : tensor<32x4x8xf32>
    %1069 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1070 = stablehlo.divide %706, %1069 : tensor<32xf32>
    %cst_298 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1071 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1072 = stablehlo.multiply %1071, %1070 : tensor<32xf32>
    %1073 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1074 = stablehlo.divide %859, %1073 : tensor<32xf32>
    %1075 = stablehlo.sqrt %1074 : tensor<32xf32>
    %cst_299 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1076 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1077 = stablehlo.add %1075, %1076 : tensor<32xf32>
    %1078 = stablehlo.divide %1072, %1077 : tensor<32xf32>
    %1079 = stablehlo.subtract %arg7, %1078 : tensor<32xf32>
    %1080 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1081 = stablehlo.divide %711, %1080 : tensor<32xf32>
    %cst_300 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1082 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1083 = stablehlo.multiply %1082, %1081 : tensor<32xf32>
    %1084 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1085 = stablehlo.divide %865, %1084 : tensor<32xf32>
    %1086 = stablehlo.sqrt %1085 : tensor<32xf32>
    %cst_301 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1087 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1088 = stablehlo.add %1086, %1087 : tensor<32xf32>
    %1089 = stablehlo.divide %1083, %1088 : tensor<32xf32>
    %1090 = stablehlo.subtract %arg8, %1089 : tensor<32xf32>
    %1091 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1092 = stablehlo.divide %716, %1091 : tensor<32xf32>
    %cst_302 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1094 = stablehlo.multiply %1093, %1092 : tensor<32xf32>
    %1095 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1096 = stablehlo.divide %871, %1095 : tensor<32xf32>
    %1097 = stablehlo.sqrt %1096 : tensor<32xf32>
    %cst_303 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1098 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1099 = stablehlo.add %1097, %1098 : tensor<32xf32>
    %1100 = stablehlo.divide %1094, %1099 : tensor<32xf32>
    %1101 = stablehlo.subtract %arg9, %1100 : tensor<32xf32>
    %1102 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1103 = stablehlo.divide %721, %1102 : tensor<32xf32>
    %cst_304 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1104 = stablehlo.broadcast_in_dim %cst_304, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1105 = stablehlo.multiply %1104, %1103 : tensor<32xf32>
    %1106 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1107 = stablehlo.divide %877, %1106 : tensor<32xf32>
    %1108 = stablehlo.sqrt %1107 : tensor<32xf32>
    %cst_305 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1109 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1110 = stablehlo.add %1108, %1109 : tensor<32xf32>
    %1111 = stablehlo.divide %1105, %1110 : tensor<32xf32>
    %1112 = stablehlo.subtract %arg10, %1111 : tensor<32xf32>
    %1113 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1114 = stablehlo.divide %726, %1113 : tensor<32x128xf32>
    %cst_306 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1115 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1116 = stablehlo.multiply %1115, %1114 : tensor<32x128xf32>
    %1117 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1118 = stablehlo.divide %883, %1117 : tensor<32x128xf32>
    %1119 = stablehlo.sqrt %1118 : tensor<32x128xf32>
    %cst_307 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1120 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1121 = stablehlo.add %1119, %1120 : tensor<32x128xf32>
    %1122 = stablehlo.divide %1116, %1121 : tensor<32x128xf32>
    %1123 = stablehlo.subtract %arg11, %1122 : tensor<32x128xf32>
    %1124 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1125 = stablehlo.divide %731, %1124 : tensor<128xf32>
    %cst_308 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1126 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1127 = stablehlo.multiply %1126, %1125 : tensor<128xf32>
    %1128 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1129 = stablehlo.divide %889, %1128 : tensor<128xf32>
    %1130 = stablehlo.sqrt %1129 : tensor<128xf32>
    %cst_309 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1131 = stablehlo.broadcast_in_dim %cst_309, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1132 = stablehlo.add %1130, %1131 : tensor<128xf32>
    %1133 = stablehlo.divide %1127, %1132 : tensor<128xf32>
    %1134 = stablehlo.subtract %arg12, %1133 : tensor<128xf32>
    %1135 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1136 = stablehlo.divide %736, %1135 : tensor<32x4x8xf32>
    %cst_310 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1137 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1138 = stablehlo.multiply %1137, %1136 : tensor<32x4x8xf32>
    %1139 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1140 = stablehlo.divide %895, %1139 : tensor<32x4x8xf32>
    %1141 = stablehlo.sqrt %1140 : tensor<32x4x8xf32>
    %cst_311 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1142 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1143 = stablehlo.add %1141, %1142 : tensor<32x4x8xf32>
    %1144 = stablehlo.divide %1138, %1143 : tensor<32x4x8xf32>
    %1145 = stablehlo.subtract %arg13, %1144 : tensor<32x4x8xf32>
    %1146 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1147 = stablehlo.divide %741, %1146 : tensor<128x32xf32>
    %cst_312 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1148 = stablehlo.broadcast_in_dim %cst_312, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1149 = stablehlo.multiply %1148, %1147 : tensor<128x32xf32>
    %1150 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1151 = stablehlo.divide %901, %1150 : tensor<128x32xf32>
    %1152 = stablehlo.sqrt %1151 : tensor<128x32xf32>
    %cst_313 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1153 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %1154 = stablehlo.add %1152, %1153 : tensor<128x32xf32>
    %1155 = stablehlo.divide %1149, %1154 : tensor<128x32xf32>
    %1156 = stablehlo.subtract %arg14, %1155 : tensor<128x32xf32>
    %1157 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1158 = stablehlo.divide %746, %1157 : tensor<32xf32>
    %cst_314 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1159 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1160 = stablehlo.multiply %1159, %1158 : tensor<32xf32>
    %1161 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1162 = stablehlo.divide %907, %1161 : tensor<32xf32>
    %1163 = stablehlo.sqrt %1162 : tensor<32xf32>
    %cst_315 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1164 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1165 = stablehlo.add %1163, %1164 : tensor<32xf32>
    %1166 = stablehlo.divide %1160, %1165 : tensor<32xf32>
    %1167 = stablehlo.subtract %arg15, %1166 : tensor<32xf32>
    %1168 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1169 = stablehlo.divide %751, %1168 : tensor<32x4x8xf32>
    %cst_316 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1170 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1171 = stablehlo.multiply %1170, %1169 : tensor<32x4x8xf32>
    %1172 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1173 = stablehlo.divide %913, %1172 : tensor<32x4x8xf32>
    %1174 = stablehlo.sqrt %1173 : tensor<32x4x8xf32>
    %cst_317 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1175 = stablehlo.broadcast_in_dim %cst_317, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1176 = stablehlo.add %1174, %1175 : tensor<32x4x8xf32>
    %1177 = stablehlo.divide %1171, %1176 : tensor<32x4x8xf32>
    %1178 = stablehlo.subtract %arg16, %1177 : tensor<32x4x8xf32>
    %1179 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1180 = stablehlo.divide %756, %1179 : tensor<4x8x32xf32>
    %cst_318 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1181 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1182 = stablehlo.multiply %1181, %1180 : tensor<4x8x32xf32>
    %1183 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1184 = stablehlo.divide %919, %1183 : tensor<4x8x32xf32>
    %1185 = stablehlo.sqrt %1184 : tensor<4x8x32xf32>
    %cst_319 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1186 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1187 = stablehlo.add %1185, %1186 : tensor<4x8x32xf32>
    %1188 = stablehlo.divide %1182, %1187 : tensor<4x8x32xf32>
    %1189 = stablehlo.subtract %arg17, %1188 : tensor<4x8x32xf32>
    %1190 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1191 = stablehlo.divide %761, %1190 : tensor<32x4x8xf32>
    %cst_320 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1192 = stablehlo.broadcast_in_dim %cst_320, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1193 = stablehlo.multiply %1192, %1191 : tensor<32x4x8xf32>
    %1194 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1195 = stablehlo.divide %925, %1194 : tensor<32x4x8xf32>
    %1196 = stablehlo.sqrt %1195 : tensor<32x4x8xf32>
    %cst_321 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1197 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1198 = stablehlo.add %1196, %1197 : tensor<32x4x8xf32>
    %1199 = stablehlo.divide %1193, %1198 : tensor<32x4x8xf32>
    %1200 = stablehlo.subtract %arg18, %1199 : tensor<32x4x8xf32>
    %1201 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1202 = stablehlo.divide %766, %1201 : tensor<32xf32>
    %cst_322 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1203 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1204 = stablehlo.multiply %1203, %1202 : tensor<32xf32>
    %1205 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1206 = stablehlo.divide %931, %1205 : tensor<32xf32>
    %1207 = stablehlo.sqrt %1206 : tensor<32xf32>
    %cst_323 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1208 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1209 = stablehlo.add %1207, %1208 : tensor<32xf32>
    %1210 = stablehlo.divide %1204, %1209 : tensor<32xf32>
    %1211 = stablehlo.subtract %arg19, %1210 : tensor<32xf32>
    %1212 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1213 = stablehlo.divide %771, %1212 : tensor<32xf32>
    %cst_324 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1214 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1215 = stablehlo.multiply %1214, %1213 : tensor<32xf32>
    %1216 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1217 = stablehlo.divide %937, %1216 : tensor<32xf32>
    %1218 = stablehlo.sqrt %1217 : tensor<32xf32>
    %cst_325 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1219 = stablehlo.broadcast_in_dim %cst_325, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1220 = stablehlo.add %1218, %1219 : tensor<32xf32>
    %1221 = stablehlo.divide %1215, %1220 : tensor<32xf32>
    %1222 = stablehlo.subtract %arg20, %1221 : tensor<32xf32>
    %1223 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1224 = stablehlo.divide %776, %1223 : tensor<32xf32>
    %cst_326 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1225 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1226 = stablehlo.multiply %1225, %1224 : tensor<32xf32>
    %1227 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1228 = stablehlo.divide %943, %1227 : tensor<32xf32>
    %1229 = stablehlo.sqrt %1228 : tensor<32xf32>
    %cst_327 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1230 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1231 = stablehlo.add %1229, %1230 : tensor<32xf32>
    %1232 = stablehlo.divide %1226, %1231 : tensor<32xf32>
    %1233 = stablehlo.subtract %arg21, %1232 : tensor<32xf32>
    %1234 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1235 = stablehlo.divide %781, %1234 : tensor<32xf32>
    %cst_328 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1236 = stablehlo.broadcast_in_dim %cst_328, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1237 = stablehlo.multiply %1236, %1235 : tensor<32xf32>
    %1238 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1239 = stablehlo.divide %949, %1238 : tensor<32xf32>
    %1240 = stablehlo.sqrt %1239 : tensor<32xf32>
    %cst_329 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1241 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1242 = stablehlo.add %1240, %1241 : tensor<32xf32>
    %1243 = stablehlo.divide %1237, %1242 : tensor<32xf32>
    %1244 = stablehlo.subtract %arg22, %1243 : tensor<32xf32>
    %1245 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1246 = stablehlo.divide %786, %1245 : tensor<32x128xf32>
    %cst_330 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1247 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1248 = stablehlo.multiply %1247, %1246 : tensor<32x128xf32>
    %1249 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1250 = stablehlo.divide %955, %1249 : tensor<32x128xf32>
    %1251 = stablehlo.sqrt %1250 : tensor<32x128xf32>
    %cst_331 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1252 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1253 = stablehlo.add %1251, %1252 : tensor<32x128xf32>
    %1254 = stablehlo.divide %1248, %1253 : tensor<32x128xf32>
    %1255 = stablehlo.subtract %arg23, %1254 : tensor<32x128xf32>
    %1256 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1257 = stablehlo.divide %791, %1256 : tensor<128xf32>
    %cst_332 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1258 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1259 = stablehlo.multiply %1258, %1257 : tensor<128xf32>
    %1260 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1261 = stablehlo.divide %961, %1260 : tensor<128xf32>
    %1262 = stablehlo.sqrt %1261 : tensor<128xf32>
    %cst_333 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1263 = stablehlo.broadcast_in_dim %cst_333, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1264 = stablehlo.add %1262, %1263 : tensor<128xf32>
    %1265 = stablehlo.divide %1259, %1264 : tensor<128xf32>
    %1266 = stablehlo.subtract %arg24, %1265 : tensor<128xf32>
    %1267 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1268 = stablehlo.divide %796, %1267 : tensor<32x4x8xf32>
    %cst_334 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1269 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1270 = stablehlo.multiply %1269, %1268 : tensor<32x4x8xf32>
    %1271 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1272 = stablehlo.divide %967, %1271 : tensor<32x4x8xf32>
    %1273 = stablehlo.sqrt %1272 : tensor<32x4x8xf32>
    %cst_335 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1274 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %1275 = stablehlo.add %1273, %1274 : tensor<32x4x8xf32>
    %1276 = stablehlo.divide %1270, %1275 : tensor<32x4x8xf32>
    %1277 = stablehlo.subtract %arg25, %1276 : tensor<32x4x8xf32>
    %1278 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1279 = stablehlo.divide %801, %1278 : tensor<16x32xf32>
    %cst_336 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1280 = stablehlo.broadcast_in_dim %cst_336, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1281 = stablehlo.multiply %1280, %1279 : tensor<16x32xf32>
    %1282 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1283 = stablehlo.divide %973, %1282 : tensor<16x32xf32>
    %1284 = stablehlo.sqrt %1283 : tensor<16x32xf32>
    %cst_337 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1285 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1286 = stablehlo.add %1284, %1285 : tensor<16x32xf32>
    %1287 = stablehlo.divide %1281, %1286 : tensor<16x32xf32>
    %1288 = stablehlo.subtract %arg26, %1287 : tensor<16x32xf32>
    %1289 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1290 = stablehlo.divide %806, %1289 : tensor<32xf32>
    %cst_338 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1291 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1292 = stablehlo.multiply %1291, %1290 : tensor<32xf32>
    %1293 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1294 = stablehlo.divide %979, %1293 : tensor<32xf32>
    %1295 = stablehlo.sqrt %1294 : tensor<32xf32>
    %cst_339 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1296 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1297 = stablehlo.add %1295, %1296 : tensor<32xf32>
    %1298 = stablehlo.divide %1292, %1297 : tensor<32xf32>
    %1299 = stablehlo.subtract %arg27, %1298 : tensor<32xf32>
    %1300 = stablehlo.broadcast_in_dim %988, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1301 = stablehlo.divide %811, %1300 : tensor<32xf32>
    %cst_340 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1302 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1303 = stablehlo.multiply %1302, %1301 : tensor<32xf32>
    %1304 = stablehlo.broadcast_in_dim %991, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1305 = stablehlo.divide %985, %1304 : tensor<32xf32>
    %1306 = stablehlo.sqrt %1305 : tensor<32xf32>
    %cst_341 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1307 = stablehlo.broadcast_in_dim %cst_341, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1308 = stablehlo.add %1306, %1307 : tensor<32xf32>
    %1309 = stablehlo.divide %1303, %1308 : tensor<32xf32>
    %1310 = stablehlo.subtract %arg28, %1309 : tensor<32xf32>
    return %1002, %1013, %1024, %1035, %1046, %1057, %1068, %1079, %1090, %1101, %1112, %1123, %1134, %1145, %1156, %1167, %1178, %1189, %1200, %1211, %1222, %1233, %1244, %1255, %1266, %1277, %1288, %1299, %1310, %671, %676, %681, %686, %691, %696, %701, %706, %711, %716, %721, %726, %731, %736, %741, %746, %751, %756, %761, %766, %771, %776, %781, %786, %791, %796, %801, %806, %811, %817, %823, %829, %835, %841, %847, %853, %859, %865, %871, %877, %883, %889, %895, %901, %907, %913, %919, %925, %931, %937, %943, %949, %955, %961, %967, %973, %979, %985, %666, %341 : tensor<96x32xf32>, tensor<32x96xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<96x32xf32>, tensor<32x96xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<96x32xf32>, tensor<32x96xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x4x8xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<i32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<8x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    return %3, %1, %4 : tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x16x96xi1>, %arg1: tensor<8x16x96xf32>, %arg2: tensor<f32>) -> (tensor<8x16x96xf32>, tensor<8x16x96xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x16x96xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x16x96xi1>, tensor<8x16x96xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x96xf32>
    return %2, %3 : tensor<8x16x96xf32>, tensor<8x16x96xf32>
  }
  func.func private @_where_1(%arg0: tensor<8x16x96xi1>, %arg1: tensor<8x16x96xf32>, %arg2: tensor<8x16x96xf32>) -> tensor<8x16x96xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x96xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<8x16x96xi1>, tensor<8x16x96xf32>
    return %1 : tensor<8x16x96xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x4x16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %1 : tensor<8x4x16x16xf32>
  }
}
