module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x16x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<5x8x16xf32>, %arg2: tensor<5x8x16xf32>) -> (tensor<3x16x16xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x5x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x5x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x5x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:7 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %0, %iterArg_12 = %c, %iterArg_13 = %arg1, %iterArg_14 = %1, %iterArg_15 = %2, %iterArg_16 = %3) : tensor<3x16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>
    cond {
      %c_17 = stablehlo.constant dense<3> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_12, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %19 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %20:4 = func.call @closed_call(%iterArg_11, %iterArg_13, %19) : (tensor<8x16xf32>, tensor<5x8x16xf32>, tensor<16x16xf32>) -> (tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>)
      %21 = func.call @dynamic_update_index_in_dim_2(%iterArg_14, %20#1, %iterArg_12) : (tensor<3x5x8x16xf32>, tensor<5x8x16xf32>, tensor<i32>) -> tensor<3x5x8x16xf32>
      %22 = func.call @dynamic_update_index_in_dim_2(%iterArg_15, %20#2, %iterArg_12) : (tensor<3x5x8x16xf32>, tensor<5x8x16xf32>, tensor<i32>) -> tensor<3x5x8x16xf32>
      %23 = func.call @dynamic_update_index_in_dim_2(%iterArg_16, %20#3, %iterArg_12) : (tensor<3x5x8x16xf32>, tensor<5x8x16xf32>, tensor<i32>) -> tensor<3x5x8x16xf32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_12, %c_17 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %24, %20#0, %21, %22, %23 : tensor<3x16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>
    }
    %5 = stablehlo.subtract %4#3, %arg2 : tensor<5x8x16xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<5x8x16xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<5x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<5x8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<6.400000e+02> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<6.400000e+02> : tensor<f32>
    %11 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %13 = stablehlo.multiply %12, %8 : tensor<5x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %15:7 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %4#4, %iterArg_12 = %4#5, %iterArg_13 = %4#6, %iterArg_14 = %c_9, %iterArg_15 = %13, %iterArg_16 = %14) : tensor<3x16x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<i32>, tensor<5x8x16xf32>, tensor<3x16x16xf32>
    cond {
      %c_17 = stablehlo.constant dense<3> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_14, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %c_17 = stablehlo.constant dense<3> : tensor<i32>
      %19 = stablehlo.subtract %c_17, %iterArg_14 : tensor<i32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.subtract %19, %c_18 : tensor<i32>
      %21 = func.call @dynamic_index_in_dim(%iterArg, %20) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %22 = func.call @dynamic_index_in_dim_3(%iterArg_11, %20) : (tensor<3x5x8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %23 = func.call @dynamic_index_in_dim_3(%iterArg_12, %20) : (tensor<3x5x8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %24 = func.call @dynamic_index_in_dim_3(%iterArg_13, %20) : (tensor<3x5x8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %25:2 = func.call @closed_call_4(%iterArg_15, %21, %22, %23, %24) : (tensor<5x8x16xf32>, tensor<16x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>) -> (tensor<5x8x16xf32>, tensor<16x16xf32>)
      %26 = func.call @dynamic_update_index_in_dim_6(%iterArg_16, %25#1, %20) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %27 = stablehlo.add %iterArg_14, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %27, %25#0, %26 : tensor<3x16x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<3x5x8x16xf32>, tensor<i32>, tensor<5x8x16xf32>, tensor<3x16x16xf32>
    }
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %17 = stablehlo.multiply %16, %15#6 : tensor<3x16x16xf32>
    %18 = stablehlo.subtract %arg0, %17 : tensor<3x16x16xf32>
    return %18, %10 : tensor<3x16x16xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<3x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x16xf32>, %arg1: tensor<5x8x16xf32>, %arg2: tensor<16x16xf32>) -> (tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:7 = stablehlo.while(%iterArg = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %arg0, %iterArg_5 = %0, %iterArg_6 = %1, %iterArg_7 = %2) : tensor<5x8x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>
    cond {
      %c_8 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_3) : (tensor<5x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %5:4 = func.call @closed_call_1(%iterArg_2, %iterArg_4, %4) : (tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_5, %5#1, %iterArg_3) : (tensor<5x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_6, %5#2, %iterArg_3) : (tensor<5x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_7, %5#3, %iterArg_3) : (tensor<5x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_3, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %9, %5#0, %6, %7, %8 : tensor<5x8x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>
    }
    return %3#4, %arg1, %3#5, %3#6 : tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<5x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<5x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<16x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<8x16xf32>
    %2 = stablehlo.tanh %1 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<8x16xf32>
    return %2, %2, %2, %4 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<5x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x16xf32>
    return %1 : tensor<5x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<3x5x8x16xf32>, %arg1: tensor<5x8x16xf32>, %arg2: tensor<i32>) -> tensor<3x5x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x5x8x16xf32>, tensor<1x5x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x5x8x16xf32>
    return %1 : tensor<3x5x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<3x5x8x16xf32>, %arg1: tensor<i32>) -> tensor<5x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 5, 8, 16] : (tensor<3x5x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x5x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x5x8x16xf32>) -> tensor<5x8x16xf32>
    return %1 : tensor<5x8x16xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<5x8x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<5x8x16xf32>, %arg3: tensor<5x8x16xf32>, %arg4: tensor<5x8x16xf32>) -> (tensor<5x8x16xf32>, tensor<16x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:9 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg2, %iterArg_3 = %arg3, %iterArg_4 = %arg4, %iterArg_5 = %arg1, %iterArg_6 = %c, %iterArg_7 = %1, %iterArg_8 = %0, %iterArg_9 = %2) : tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<5x8x16xf32>
    cond {
      %c_10 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_6, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.subtract %c_10, %iterArg_6 : tensor<i32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.subtract %4, %c_11 : tensor<i32>
      %6 = func.call @dynamic_index_in_dim_0(%iterArg, %5) : (tensor<5x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %7 = func.call @dynamic_index_in_dim_0(%iterArg_2, %5) : (tensor<5x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %8 = func.call @dynamic_index_in_dim_0(%iterArg_3, %5) : (tensor<5x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %9 = func.call @dynamic_index_in_dim_0(%iterArg_4, %5) : (tensor<5x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %10:3 = func.call @closed_call_5(%iterArg_5, %iterArg_7, %iterArg_8, %6, %7, %8, %9) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_9, %10#2, %5) : (tensor<5x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<5x8x16xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_6, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %12, %10#0, %10#1, %11 : tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<5x8x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<5x8x16xf32>
    }
    return %3#8, %3#6 : tensor<5x8x16xf32>, tensor<16x16xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<8x16xf32>) -> (tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.add %arg2, %arg3 : tensor<8x16xf32>
    %1 = stablehlo.multiply %0, %arg6 : tensor<8x16xf32>
    %2 = stablehlo.multiply %1, %arg5 : tensor<8x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %3, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<16x16xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    return %6, %3, %7 : tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<3x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<3x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x16xf32>
    return %1 : tensor<3x16x16xf32>
  }
}
