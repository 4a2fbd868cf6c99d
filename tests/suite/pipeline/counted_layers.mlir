// test: pipeline stages=2 microbatches=4
// Layers are looked up by a counter of their own in a loop.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x8x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x4x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x2xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x8x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x4x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x3xf32>, %arg9: tensor<8x2xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]['in']"}, tensor<4x2xf32> {jax.result_info = "result[0]['out']"}, tensor<4x8x4xf32> {jax.result_info = "result[0]['v']"}, tensor<4x4x8xf32> {jax.result_info = "result[0]['w']"}, tensor<3x4xf32> {jax.result_info = "result[1]['in']"}, tensor<4x2xf32> {jax.result_info = "result[1]['out']"}, tensor<4x8x4xf32> {jax.result_info = "result[1]['v']"}, tensor<4x4x8xf32> {jax.result_info = "result[1]['w']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %c, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.add %c_1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.select %1, %2, %c_3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.add %c_6, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_8 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %c_12 = stablehlo.constant dense<8> : tensor<i32>
    %8 = stablehlo.add %c_11, %c_12 : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_13 : tensor<i1>, tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.compare LT, %c_14, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %c_17 = stablehlo.constant dense<4> : tensor<i32>
    %11 = stablehlo.add %c_16, %c_17 : tensor<i32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.select %10, %11, %c_18 : tensor<i1>, tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %20:16 = stablehlo.while(%iterArg = %arg3, %iterArg_43 = %3, %iterArg_44 = %6, %iterArg_45 = %arg2, %iterArg_46 = %9, %iterArg_47 = %12, %iterArg_48 = %c_26, %iterArg_49 = %c_19, %iterArg_50 = %0, %iterArg_51 = %13, %iterArg_52 = %14, %iterArg_53 = %15, %iterArg_54 = %16, %iterArg_55 = %17, %iterArg_56 = %18, %iterArg_57 = %19) : tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x4xf32>, tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>, tensor<4x8x4xf32>
    cond {
      %c_58 = stablehlo.constant dense<4> : tensor<i32>
      %63 = stablehlo.compare LT, %iterArg_48, %c_58, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    } do {
      %63:9 = func.call @closed_call(%iterArg, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_49, %iterArg_50) : (tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32>)
      %64 = func.call @dynamic_update_index_in_dim(%iterArg_51, %63#2, %iterArg_48) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
      %65 = func.call @dynamic_update_index_in_dim_0(%iterArg_52, %63#3, %iterArg_48) : (tensor<4x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x4x8xf32>
      %66 = func.call @dynamic_update_index_in_dim_1(%iterArg_53, %63#4, %iterArg_48) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %67 = func.call @dynamic_update_index_in_dim_2(%iterArg_54, %63#5, %iterArg_48) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %68 = func.call @dynamic_update_index_in_dim_2(%iterArg_55, %63#6, %iterArg_48) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %69 = func.call @dynamic_update_index_in_dim(%iterArg_56, %63#7, %iterArg_48) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
      %70 = func.call @dynamic_update_index_in_dim_1(%iterArg_57, %63#8, %iterArg_48) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %71 = stablehlo.add %iterArg_48, %c_58 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %71, %63#0, %63#1, %64, %65, %66, %67, %68, %69, %70 : tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x4xf32>, tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>, tensor<4x8x4xf32>
    }
    %21 = stablehlo.dot_general %20#8, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %22 = stablehlo.subtract %21, %arg9 : tensor<8x2xf32>
    %23 = stablehlo.multiply %22, %22 : tensor<8x2xf32>
    %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %25 = stablehlo.multiply %24, %22 : tensor<8x2xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%23 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_29 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.divide %26, %cst_29 : tensor<f32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_31 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %28 = stablehlo.divide %cst_30, %cst_31 : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %30 = stablehlo.multiply %29, %25 : tensor<8x2xf32>
    %31 = stablehlo.dot_general %30, %20#8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %33 = stablehlo.dot_general %30, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %36:15 = stablehlo.while(%iterArg = %20#9, %iterArg_43 = %20#10, %iterArg_44 = %20#11, %iterArg_45 = %20#12, %iterArg_46 = %20#13, %iterArg_47 = %20#14, %iterArg_48 = %20#15, %iterArg_49 = %3, %iterArg_50 = %6, %iterArg_51 = %9, %iterArg_52 = %12, %iterArg_53 = %c_34, %iterArg_54 = %34, %iterArg_55 = %35, %iterArg_56 = %33) : tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>, tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>
    cond {
      %c_57 = stablehlo.constant dense<4> : tensor<i32>
      %63 = stablehlo.compare LT, %iterArg_53, %c_57, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    } do {
      %c_57 = stablehlo.constant dense<4> : tensor<i32>
      %63 = stablehlo.subtract %c_57, %iterArg_53 : tensor<i32>
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %64 = stablehlo.subtract %63, %c_58 : tensor<i32>
      %65 = func.call @dynamic_index_in_dim(%iterArg, %64) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      %66 = func.call @dynamic_index_in_dim_3(%iterArg_43, %64) : (tensor<4x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %67 = func.call @dynamic_index_in_dim_4(%iterArg_44, %64) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %68 = func.call @dynamic_index_in_dim_5(%iterArg_45, %64) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %69 = func.call @dynamic_index_in_dim_5(%iterArg_46, %64) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %70 = func.call @dynamic_index_in_dim(%iterArg_47, %64) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      %71 = func.call @dynamic_index_in_dim_4(%iterArg_48, %64) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %72:3 = func.call @closed_call_6(%iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_54, %iterArg_55, %iterArg_56, %65, %66, %67, %68, %69, %70, %71) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32>) -> (tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>)
      %c_59 = stablehlo.constant dense<1> : tensor<i32>
      %73 = stablehlo.add %iterArg_53, %c_59 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %73, %72#0, %72#1, %72#2 : tensor<4xi32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>, tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>
    }
    %37 = stablehlo.dot_general %36#14, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %40 = stablehlo.multiply %39, %arg4 : tensor<3x4xf32>
    %41 = stablehlo.add %40, %38 : tensor<3x4xf32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %43 = stablehlo.multiply %42, %arg5 : tensor<4x2xf32>
    %44 = stablehlo.add %43, %32 : tensor<4x2xf32>
    %cst_37 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %46 = stablehlo.multiply %45, %arg6 : tensor<4x8x4xf32>
    %47 = stablehlo.add %46, %36#13 : tensor<4x8x4xf32>
    %cst_38 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %49 = stablehlo.multiply %48, %arg7 : tensor<4x4x8xf32>
    %50 = stablehlo.add %49, %36#12 : tensor<4x4x8xf32>
    %cst_39 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %52 = stablehlo.multiply %51, %41 : tensor<3x4xf32>
    %53 = stablehlo.subtract %arg0, %52 : tensor<3x4xf32>
    %cst_40 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %55 = stablehlo.multiply %54, %44 : tensor<4x2xf32>
    %56 = stablehlo.subtract %arg1, %55 : tensor<4x2xf32>
    %cst_41 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %58 = stablehlo.multiply %57, %47 : tensor<4x8x4xf32>
    %59 = stablehlo.subtract %arg2, %58 : tensor<4x8x4xf32>
    %cst_42 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %61 = stablehlo.multiply %60, %50 : tensor<4x4x8xf32>
    %62 = stablehlo.subtract %arg3, %61 : tensor<4x4x8xf32>
    return %53, %56, %59, %62, %41, %44, %47, %50, %27 : tensor<3x4xf32>, tensor<4x2xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<3x4xf32>, tensor<4x2xf32>, tensor<4x8x4xf32>, tensor<4x4x8xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<4x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<4x8x4xf32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<8x4xf32>) -> (tensor<i32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg6, %c : tensor<i32>
    %1 = stablehlo.convert %arg6 : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.add %1, %c_1 : tensor<i32>
    %4 = stablehlo.select %2, %3, %1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg0, %4, %arg1, %arg2, sizes = [1, 4, 8] : (tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.dot_general %arg7, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.tanh %7 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<8x8xf32>
    %11 = stablehlo.convert %arg6 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %11, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %13 = stablehlo.add %11, %c_3 : tensor<i32>
    %14 = stablehlo.select %12, %13, %11 : tensor<i1>, tensor<i32>
    %15 = stablehlo.dynamic_slice %arg3, %14, %arg4, %arg5, sizes = [1, 8, 4] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %17 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %18 = stablehlo.add %arg7, %17 : tensor<8x4xf32>
    return %0, %18, %4, %6, %arg7, %8, %10, %14, %16 : tensor<i32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<4x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<4x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x8xf32>
    return %1 : tensor<4x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<4x8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<4x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
    return %1 : tensor<4x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<4x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    return %1 : tensor<4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<4x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<4x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<4x4x8xf32>, %arg5: tensor<4x8x4xf32>, %arg6: tensor<8x4xf32>, %arg7: tensor<i32>, %arg8: tensor<4x8xf32>, %arg9: tensor<8x4xf32>, %arg10: tensor<8x8xf32>, %arg11: tensor<8x8xf32>, %arg12: tensor<i32>, %arg13: tensor<8x4xf32>) -> (tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>) {
    %0 = stablehlo.dot_general %arg6, %arg10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.dot_general %arg6, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %5 = stablehlo.dynamic_update_slice %4, %3, %arg12, %arg2, %arg3 : (tensor<4x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
    %6 = stablehlo.add %arg5, %5 : tensor<4x8x4xf32>
    %7 = stablehlo.multiply %2, %arg11 : tensor<8x8xf32>
    %8 = stablehlo.multiply %7, %arg10 : tensor<8x8xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x8xf32>
    %10 = stablehlo.dot_general %9, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dot_general %9, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %13 = stablehlo.add %arg6, %12 : tensor<8x4xf32>
    %14 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %16 = stablehlo.dynamic_update_slice %15, %14, %arg7, %arg0, %arg1 : (tensor<4x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x8xf32>
    %17 = stablehlo.add %arg4, %16 : tensor<4x4x8xf32>
    return %17, %6, %13 : tensor<4x4x8xf32>, tensor<4x8x4xf32>, tensor<8x4xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// gpipe, 1f1b, eager-1f1b: layers 0..2, 2..4, loops 0F 0, 0B 0, 0U0 1, 1F 0, 1B 1, 1U0 1
// chimera: layers 0..2, 2..4, loops 0F 0, 0B 0, 0U0 1, 1F 0, 1B 1, 1U0 1, 2F 0, 2B 0, 3F 0, 3B 0
// dualpipe: layers 0..2, 2..4, loops 0F 0, 0I 0, 0W 0, 0B 0, 0U0 1, 1F 0, 1B 1, 1U0 1, 2F 0, 2I 0, 2W 0, 2B 0, 3F 0, 3B 0
// zb-h1, zb-h2: layers 0..2, 2..4, loops 0F 0, 0I 0, 0W 0, 0U0 1, 1F 0, 1I 1, 1W 0, 1U0 1
