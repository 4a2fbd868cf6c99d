module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x16x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>) -> (tensor<32x16xf32> {jax.result_info = "result['e']"}, tensor<4x16x16xf32> {jax.result_info = "result['w']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64xi32>
    %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<64xi32>
    %3 = stablehlo.add %arg2, %2 : tensor<64xi32>
    %4 = stablehlo.select %1, %3, %arg2 : tensor<64xi1>, tensor<64xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<64x1xi32>) -> tensor<64x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %10:6 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %c_3, %iterArg_12 = %6, %iterArg_13 = %7, %iterArg_14 = %8, %iterArg_15 = %9) : tensor<4x16x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>
    cond {
      %c_16 = stablehlo.constant dense<4> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg_11, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %36 : tensor<i1>
    } do {
      %36 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %37:4 = func.call @closed_call(%iterArg_12, %36) : (tensor<64x16xf32>, tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_13, %37#1, %iterArg_11) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_14, %37#2, %iterArg_11) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_15, %37#3, %iterArg_11) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %41 = stablehlo.add %iterArg_11, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %41, %37#0, %38, %39, %40 : tensor<4x16x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>
    }
    %11 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %12 = stablehlo.dot_general %10#2, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %13:2 = call @log_softmax(%12) : (tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x1xf32>)
    %14 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = call @take_along_axis(%14) : (tensor<64x1xi32>) -> tensor<64x1x1xi32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.negate %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %17 = stablehlo.divide %16, %cst_5 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %19 = call @take_along_axis_0(%15, %18) : (tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x32xf32>
    %20 = call @log_softmax_1(%13#0, %13#1, %19) : (tensor<64x32xf32>, tensor<64x1xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %21 = stablehlo.dot_general %20, %10#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %23 = stablehlo.dot_general %20, %11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<16x32xf32>) -> tensor<64x16xf32>
    %24 = stablehlo.transpose %22, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %26:7 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %10#3, %iterArg_12 = %10#4, %iterArg_13 = %10#5, %iterArg_14 = %c_7, %iterArg_15 = %23, %iterArg_16 = %25) : tensor<4x16x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<4x16x16xf32>
    cond {
      %c_17 = stablehlo.constant dense<4> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg_14, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %36 : tensor<i1>
    } do {
      %c_17 = stablehlo.constant dense<4> : tensor<i32>
      %36 = stablehlo.subtract %c_17, %iterArg_14 : tensor<i32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %37 = stablehlo.subtract %36, %c_18 : tensor<i32>
      %38 = func.call @dynamic_index_in_dim(%iterArg, %37) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %39 = func.call @dynamic_index_in_dim_2(%iterArg_11, %37) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %40 = func.call @dynamic_index_in_dim_2(%iterArg_12, %37) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %41 = func.call @dynamic_index_in_dim_2(%iterArg_13, %37) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %42:2 = func.call @closed_call_3(%iterArg_15, %38, %39, %40, %41) : (tensor<64x16xf32>, tensor<16x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>)
      %43 = func.call @dynamic_update_index_in_dim_4(%iterArg_16, %42#1, %37) : (tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<4x16x16xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg_14, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %44, %42#0, %43 : tensor<4x16x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<4x64x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<4x16x16xf32>
    }
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %28 = "stablehlo.scatter"(%27, %5, %26#5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %36 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<64x1xi32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %29 = stablehlo.add %24, %28 : tensor<32x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<32x16xf32>
    %32 = stablehlo.subtract %arg0, %31 : tensor<32x16xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %34 = stablehlo.multiply %33, %26#6 : tensor<4x16x16xf32>
    %35 = stablehlo.subtract %arg1, %34 : tensor<4x16x16xf32>
    return %32, %35 : tensor<32x16xf32>, tensor<4x16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %1 = stablehlo.tanh %0 : tensor<64x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<64x16xf32>
    return %1, %arg0, %1, %3 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<4x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x16xf32>
    return %1 : tensor<4x64x16xf32>
  }
  func.func private @log_softmax(%arg0: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<64x32xf32>
    %6 = stablehlo.exponential %5 : tensor<64x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    return %6, %8 : tensor<64x32xf32>, tensor<64x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<64x1xi32>) -> tensor<64x1x1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64x1xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<64x1xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<64x1xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<64x1xi1>, tensor<64x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<64x1xi32>) -> tensor<64x1x1xi32>
    return %5 : tensor<64x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<64x1x1xi32>, %arg1: tensor<64x1xf32>) -> tensor<64x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x32xf32>
    return %1 : tensor<64x32xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<64x32xf32>, %arg1: tensor<64x1xf32>, %arg2: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %0 = stablehlo.negate %arg2 : tensor<64x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.reshape %1 : (tensor<64xf32>) -> tensor<64x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<64x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x32xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<64x32xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<64x32xf32>
    return %7 : tensor<64x32xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<64x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<64x16xf32>, %arg3: tensor<64x16xf32>, %arg4: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.multiply %arg0, %arg4 : tensor<64x16xf32>
    %1 = stablehlo.multiply %0, %arg3 : tensor<64x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<64x16xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %5 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    return %5, %4 : tensor<64x16xf32>, tensor<16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<4x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    return %1 : tensor<4x16x16xf32>
  }
}

