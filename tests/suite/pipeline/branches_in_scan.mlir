// test: pipeline stages=2 microbatches=4
// Layers of a scan are of two kinds.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x8x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x4x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x2xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x8x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x4x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x2xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x3xf32>, %arg9: tensor<8x2xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]['in']"}, tensor<4x8x4xf32> {jax.result_info = "result[0]['l']['v']"}, tensor<4x4x8xf32> {jax.result_info = "result[0]['l']['w']"}, tensor<4x2xf32> {jax.result_info = "result[0]['out']"}, tensor<3x4xf32> {jax.result_info = "result[1]['in']"}, tensor<4x8x4xf32> {jax.result_info = "result[1]['l']['v']"}, tensor<4x4x8xf32> {jax.result_info = "result[1]['l']['w']"}, tensor<4x2xf32> {jax.result_info = "result[1]['out']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %2:2 = call @remainder(%c) : (tensor<i32>) -> (tensor<i32>, tensor<i1>)
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %9:13 = stablehlo.while(%iterArg = %arg1, %iterArg_22 = %arg2, %iterArg_23 = %1, %iterArg_24 = %2#0, %iterArg_25 = %2#1, %iterArg_26 = %c_5, %iterArg_27 = %0, %iterArg_28 = %3, %iterArg_29 = %4, %iterArg_30 = %5, %iterArg_31 = %6, %iterArg_32 = %7, %iterArg_33 = %8) : tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<4xi32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<8x4xf32>, tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>
    cond {
      %c_34 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.compare LT, %iterArg_26, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %52 : tensor<i1>
    } do {
      %52 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_26) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %53 = func.call @dynamic_index_in_dim_0(%iterArg_22, %iterArg_26) : (tensor<4x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %54 = func.call @dynamic_index_in_dim_1(%iterArg_23, %iterArg_26) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      %55:7 = func.call @closed_call(%iterArg_24, %iterArg_25, %iterArg_27, %52, %53, %54) : (tensor<i32>, tensor<i1>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>)
      %56 = func.call @dynamic_update_index_in_dim(%iterArg_28, %55#1, %iterArg_26) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
      %57 = func.call @dynamic_update_index_in_dim_3(%iterArg_29, %55#2, %iterArg_26) : (tensor<4x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x4x8xf32>
      %58 = func.call @dynamic_update_index_in_dim_4(%iterArg_30, %55#3, %iterArg_26) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %59 = func.call @dynamic_update_index_in_dim_5(%iterArg_31, %55#4, %iterArg_26) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %60 = func.call @dynamic_update_index_in_dim_4(%iterArg_32, %55#5, %iterArg_26) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %61 = func.call @dynamic_update_index_in_dim_5(%iterArg_33, %55#6, %iterArg_26) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_34 = stablehlo.constant dense<1> : tensor<i32>
      %62 = stablehlo.add %iterArg_26, %c_34 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %62, %55#0, %56, %57, %58, %59, %60, %61 : tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<4xi32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<8x4xf32>, tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>
    }
    %10 = stablehlo.dot_general %9#6, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %11 = stablehlo.subtract %10, %arg9 : tensor<8x2xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<8x2xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<8x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%12 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %17 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %19 = stablehlo.multiply %18, %14 : tensor<8x2xf32>
    %20 = stablehlo.dot_general %19, %9#6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %22 = stablehlo.dot_general %19, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %25:10 = stablehlo.while(%iterArg = %9#7, %iterArg_22 = %9#8, %iterArg_23 = %9#9, %iterArg_24 = %9#10, %iterArg_25 = %9#11, %iterArg_26 = %9#12, %iterArg_27 = %c_13, %iterArg_28 = %22, %iterArg_29 = %23, %iterArg_30 = %24) : tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>
    cond {
      %c_31 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.compare LT, %iterArg_27, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %52 : tensor<i1>
    } do {
      %c_31 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.subtract %c_31, %iterArg_27 : tensor<i32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %53 = stablehlo.subtract %52, %c_32 : tensor<i32>
      %54 = func.call @dynamic_index_in_dim_1(%iterArg, %53) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      %55 = func.call @dynamic_index_in_dim_0(%iterArg_22, %53) : (tensor<4x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %56 = func.call @dynamic_index_in_dim(%iterArg_23, %53) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %57 = func.call @dynamic_index_in_dim_6(%iterArg_24, %53) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %58 = func.call @dynamic_index_in_dim(%iterArg_25, %53) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %59 = func.call @dynamic_index_in_dim_6(%iterArg_26, %53) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %60:3 = func.call @closed_call_7(%iterArg_28, %54, %55, %56, %57, %58, %59) : (tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>)
      %61 = func.call @dynamic_update_index_in_dim_4(%iterArg_29, %60#1, %53) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %62 = func.call @dynamic_update_index_in_dim_3(%iterArg_30, %60#2, %53) : (tensor<4x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x4x8xf32>
      %c_33 = stablehlo.constant dense<1> : tensor<i32>
      %63 = stablehlo.add %iterArg_27, %c_33 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %63, %60#0, %61, %62 : tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>
    }
    %26 = stablehlo.dot_general %25#7, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %29 = stablehlo.multiply %28, %arg4 : tensor<3x4xf32>
    %30 = stablehlo.add %29, %27 : tensor<3x4xf32>
    %cst_15 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %32 = stablehlo.multiply %31, %arg5 : tensor<4x8x4xf32>
    %33 = stablehlo.add %32, %25#8 : tensor<4x8x4xf32>
    %cst_16 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %35 = stablehlo.multiply %34, %arg6 : tensor<4x4x8xf32>
    %36 = stablehlo.add %35, %25#9 : tensor<4x4x8xf32>
    %cst_17 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %38 = stablehlo.multiply %37, %arg7 : tensor<4x2xf32>
    %39 = stablehlo.add %38, %21 : tensor<4x2xf32>
    %cst_18 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %41 = stablehlo.multiply %40, %30 : tensor<3x4xf32>
    %42 = stablehlo.subtract %arg0, %41 : tensor<3x4xf32>
    %cst_19 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %44 = stablehlo.multiply %43, %33 : tensor<4x8x4xf32>
    %45 = stablehlo.subtract %arg1, %44 : tensor<4x8x4xf32>
    %cst_20 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %47 = stablehlo.multiply %46, %36 : tensor<4x4x8xf32>
    %48 = stablehlo.subtract %arg2, %47 : tensor<4x4x8xf32>
    %cst_21 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %50 = stablehlo.multiply %49, %39 : tensor<4x2xf32>
    %51 = stablehlo.subtract %arg3, %50 : tensor<4x2xf32>
    return %42, %45, %48, %51, %30, %33, %36, %39, %16 : tensor<3x4xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<4x2xf32>, tensor<f32>
  }
  func.func private @remainder(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %2, %3 : tensor<i32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<8x4xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<i32>) -> (tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>) {
    %0 = call @remainder_2(%arg5, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<i1>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3:6 = "stablehlo.case"(%2) ({
      %4 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %5 = stablehlo.sine %4 : tensor<8x8xf32>
      %6 = stablehlo.cosine %4 : tensor<8x8xf32>
      %7 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %8 = stablehlo.add %arg2, %7 : tensor<8x4xf32>
      stablehlo.return %8, %arg4, %arg2, %6, %arg3, %5 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>
    }, {
      %4 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %5 = stablehlo.tanh %4 : tensor<8x8xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %7 = stablehlo.subtract %6, %5 : tensor<8x8xf32>
      %8 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %9 = stablehlo.add %arg2, %8 : tensor<8x4xf32>
      stablehlo.return %9, %arg4, %arg2, %5, %arg3, %7 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>
    }) : (tensor<i32>) -> (tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>)
    return %3#0, %2, %3#1, %3#2, %3#3, %3#4, %3#5 : tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>
  }
  func.func private @remainder_2(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> tensor<i32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare NE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %2, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.add %0, %arg1 : tensor<i32>
    %6 = stablehlo.select %4, %5, %0 : tensor<i1>, tensor<i32>
    return %6 : tensor<i32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<4x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<4x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x8xf32>
    return %1 : tensor<4x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<4x8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<4x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
    return %1 : tensor<4x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    return %1 : tensor<4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<4x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call_7(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x4xf32>, %arg6: tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
    %0:3 = "stablehlo.case"(%arg1) ({
      %1 = stablehlo.dot_general %arg0, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
      %3 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
      %4 = stablehlo.multiply %3, %arg4 : tensor<8x8xf32>
      %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
      %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
      %8 = stablehlo.add %arg0, %7 : tensor<8x4xf32>
      stablehlo.return %6, %2, %8 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    }, {
      %1 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
      %3 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
      %4 = stablehlo.multiply %3, %arg6 : tensor<8x8xf32>
      %5 = stablehlo.multiply %4, %arg4 : tensor<8x8xf32>
      %6 = stablehlo.add %4, %5 : tensor<8x8xf32>
      %7 = stablehlo.dot_general %6, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
      %9 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
      %10 = stablehlo.add %arg0, %9 : tensor<8x4xf32>
      stablehlo.return %8, %2, %10 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
    return %0#2, %0#1, %0#0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, zb-h1, zb-h2, dualpipe, chimera agree
// gpipe, 1f1b, eager-1f1b: layers 0..4, loops 0F 0, 0B 0, 0U0 0, 1F 1, 1B 0, 1U0 1
// dualpipe, chimera: layers 0..4, loops 0F 0, 0B 0, 0U0 0, 1F 1, 1B 0, 1U0 1, 2F 0, 2B 0, 3F 1, 3B 0
// zb-h1, zb-h2: layers 0..4, loops 0F 0, 0B 0, 0U0 0, 1F 1, 1I 0, 1W 0, 1U0 1
// interleaved-1f1b, looped-bfs, zb-v, v-half, v-min, interleaved-zb, dualpipe-v: the program cannot be cut into 4 stages: there is 1 place where as little as 128 bytes of the batch cross
