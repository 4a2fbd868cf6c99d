// test: pipeline stages=2 microbatches=4 data=2 meshes=model=2;data=2
// The step itself adds up gradients of two parts of its batch in a loop.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8x10xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<16x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<2x8x8xf32>, %arg19: tensor<2x8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][3]['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][2]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][2]['out']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][3]['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][3]['out']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:22 = stablehlo.while(%iterArg = %arg18, %iterArg_37 = %arg19, %iterArg_38 = %arg1, %iterArg_39 = %arg2, %iterArg_40 = %arg3, %iterArg_41 = %arg4, %iterArg_42 = %arg5, %iterArg_43 = %arg6, %iterArg_44 = %arg7, %iterArg_45 = %arg8, %iterArg_46 = %arg0, %iterArg_47 = %c, %iterArg_48 = %cst_8, %iterArg_49 = %0, %iterArg_50 = %1, %iterArg_51 = %2, %iterArg_52 = %3, %iterArg_53 = %4, %iterArg_54 = %5, %iterArg_55 = %6, %iterArg_56 = %7, %iterArg_57 = %8) : tensor<2x8x8xf32>, tensor<2x8xi32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<i32>, tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>
    cond {
      %c_58 = stablehlo.constant dense<2> : tensor<i32>
      %83 = stablehlo.compare LT, %iterArg_47, %c_58, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %83 : tensor<i1>
    } do {
      %83 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_47) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %84 = func.call @dynamic_index_in_dim_0(%iterArg_37, %iterArg_47) : (tensor<2x8xi32>, tensor<i32>) -> tensor<8xi32>
      %85:10 = func.call @closed_call(%iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %83, %84) : (tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8xi32>) -> (tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>)
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %86 = stablehlo.add %iterArg_47, %c_58 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %86, %85#0, %85#1, %85#2, %85#3, %85#4, %85#5, %85#6, %85#7, %85#8, %85#9 : tensor<2x8x8xf32>, tensor<2x8xi32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<i32>, tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>
    }
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %11 = stablehlo.divide %9#13, %10 : tensor<8x10xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.divide %9#14, %12 : tensor<8x16xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %15 = stablehlo.divide %9#15, %14 : tensor<16x8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %17 = stablehlo.divide %9#16, %16 : tensor<8x16xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %19 = stablehlo.divide %9#17, %18 : tensor<16x8xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %21 = stablehlo.divide %9#18, %20 : tensor<8x16xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %23 = stablehlo.divide %9#19, %22 : tensor<16x8xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %25 = stablehlo.divide %9#20, %24 : tensor<8x16xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %27 = stablehlo.divide %9#21, %26 : tensor<16x8xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %29 = stablehlo.multiply %28, %arg9 : tensor<8x10xf32>
    %30 = stablehlo.add %29, %11 : tensor<8x10xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %32 = stablehlo.multiply %31, %arg10 : tensor<8x16xf32>
    %33 = stablehlo.add %32, %13 : tensor<8x16xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %35 = stablehlo.multiply %34, %arg11 : tensor<16x8xf32>
    %36 = stablehlo.add %35, %15 : tensor<16x8xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %38 = stablehlo.multiply %37, %arg12 : tensor<8x16xf32>
    %39 = stablehlo.add %38, %17 : tensor<8x16xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %41 = stablehlo.multiply %40, %arg13 : tensor<16x8xf32>
    %42 = stablehlo.add %41, %19 : tensor<16x8xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %44 = stablehlo.multiply %43, %arg14 : tensor<8x16xf32>
    %45 = stablehlo.add %44, %21 : tensor<8x16xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %47 = stablehlo.multiply %46, %arg15 : tensor<16x8xf32>
    %48 = stablehlo.add %47, %23 : tensor<16x8xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %50 = stablehlo.multiply %49, %arg16 : tensor<8x16xf32>
    %51 = stablehlo.add %50, %25 : tensor<8x16xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %53 = stablehlo.multiply %52, %arg17 : tensor<16x8xf32>
    %54 = stablehlo.add %53, %27 : tensor<16x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %56 = stablehlo.multiply %55, %30 : tensor<8x10xf32>
    %57 = stablehlo.subtract %arg0, %56 : tensor<8x10xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %59 = stablehlo.multiply %58, %33 : tensor<8x16xf32>
    %60 = stablehlo.subtract %arg1, %59 : tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %62 = stablehlo.multiply %61, %36 : tensor<16x8xf32>
    %63 = stablehlo.subtract %arg2, %62 : tensor<16x8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %65 = stablehlo.multiply %64, %39 : tensor<8x16xf32>
    %66 = stablehlo.subtract %arg3, %65 : tensor<8x16xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %68 = stablehlo.multiply %67, %42 : tensor<16x8xf32>
    %69 = stablehlo.subtract %arg4, %68 : tensor<16x8xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %71 = stablehlo.multiply %70, %45 : tensor<8x16xf32>
    %72 = stablehlo.subtract %arg5, %71 : tensor<8x16xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %74 = stablehlo.multiply %73, %48 : tensor<16x8xf32>
    %75 = stablehlo.subtract %arg6, %74 : tensor<16x8xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %77 = stablehlo.multiply %76, %51 : tensor<8x16xf32>
    %78 = stablehlo.subtract %arg7, %77 : tensor<8x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %80 = stablehlo.multiply %79, %54 : tensor<16x8xf32>
    %81 = stablehlo.subtract %arg8, %80 : tensor<16x8xf32>
    %cst_36 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %82 = stablehlo.divide %9#12, %cst_36 : tensor<f32>
    return %57, %60, %63, %66, %69, %72, %75, %78, %81, %30, %33, %36, %39, %42, %45, %48, %51, %54, %82 : tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x8xi32>, %arg1: tensor<i32>) -> tensor<8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 8] : (tensor<2x8xi32>, tensor<i32>, tensor<i32>) -> tensor<1x8xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xi32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @closed_call(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<16x8xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<16x8xf32>, %arg8: tensor<8x10xf32>, %arg9: tensor<f32>, %arg10: tensor<8x10xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x8xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<16x8xf32>, %arg15: tensor<8x16xf32>, %arg16: tensor<16x8xf32>, %arg17: tensor<8x16xf32>, %arg18: tensor<16x8xf32>, %arg19: tensor<8x8xf32>, %arg20: tensor<8xi32>) -> (tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) {
    %0 = stablehlo.dot_general %arg19, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %arg19, %4 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %7, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.add %5, %10 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.tanh %12 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x16xf32>
    %16 = stablehlo.dot_general %13, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<8x8xf32>
    %18 = stablehlo.dot_general %17, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %19 = stablehlo.tanh %18 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %21 = stablehlo.subtract %20, %19 : tensor<8x16xf32>
    %22 = stablehlo.dot_general %19, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %23 = stablehlo.add %17, %22 : tensor<8x8xf32>
    %24 = stablehlo.dot_general %23, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.reshape %25 : (tensor<8xf32>) -> tensor<8x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %28 = stablehlo.compare EQ, %24, %27, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %29 = stablehlo.convert %28 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.maximum %31, %25 : tensor<8xf32>
    %33 = stablehlo.compare EQ, %25, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.select %33, %34, %35 : tensor<8xi1>, tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.compare EQ, %37, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.select %38, %39, %40 : tensor<8xi1>, tensor<8xf32>
    %42 = stablehlo.divide %36, %41 : tensor<8xf32>
    %43 = stablehlo.is_finite %32 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.select %43, %32, %44 : tensor<8xi1>, tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %49 = stablehlo.subtract %24, %48 : tensor<8x10xf32>
    %50 = stablehlo.exponential %49 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.sign %51 : tensor<8xf32>
    %53 = stablehlo.abs %51 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.compare GE, %51, %54, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %56 = stablehlo.log %53 : tensor<8xf32>
    %57 = stablehlo.add %56, %45 : tensor<8xf32>
    %58 = call @_one_hot(%arg20) : (tensor<8xi32>) -> tensor<8x10xf32>
    %59 = stablehlo.multiply %24, %58 : tensor<8x10xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.subtract %57, %60 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %63 = stablehlo.divide %62, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %64 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.negate %65 : tensor<8xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %68 = stablehlo.multiply %67, %58 : tensor<8x10xf32>
    %69 = stablehlo.divide %65, %53 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %71 = stablehlo.select %55, %70, %69 : tensor<8xi1>, tensor<8xf32>
    %72 = stablehlo.select %55, %69, %70 : tensor<8xi1>, tensor<8xf32>
    %73 = stablehlo.negate %71 : tensor<8xf32>
    %74 = stablehlo.add %72, %73 : tensor<8xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %76 = stablehlo.multiply %75, %50 : tensor<8x10xf32>
    %77 = stablehlo.add %68, %76 : tensor<8x10xf32>
    %78 = stablehlo.dot_general %77, %23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %80 = stablehlo.dot_general %77, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %81 = stablehlo.dot_general %80, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %82 = stablehlo.transpose %81, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %83 = stablehlo.dot_general %80, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %84 = stablehlo.multiply %83, %21 : tensor<8x16xf32>
    %85 = stablehlo.multiply %84, %19 : tensor<8x16xf32>
    %86 = stablehlo.add %84, %85 : tensor<8x16xf32>
    %87 = stablehlo.dot_general %86, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %89 = stablehlo.dot_general %86, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %90 = stablehlo.add %80, %89 : tensor<8x8xf32>
    %91 = stablehlo.dot_general %90, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %93 = stablehlo.dot_general %90, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %94 = stablehlo.multiply %93, %15 : tensor<8x16xf32>
    %95 = stablehlo.multiply %94, %13 : tensor<8x16xf32>
    %96 = stablehlo.add %94, %95 : tensor<8x16xf32>
    %97 = stablehlo.dot_general %96, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %98 = stablehlo.transpose %97, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %99 = stablehlo.dot_general %96, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %100 = stablehlo.add %90, %99 : tensor<8x8xf32>
    %101 = stablehlo.dot_general %100, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %103 = stablehlo.dot_general %100, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %104 = stablehlo.multiply %103, %9 : tensor<8x16xf32>
    %105 = stablehlo.multiply %104, %7 : tensor<8x16xf32>
    %106 = stablehlo.add %104, %105 : tensor<8x16xf32>
    %107 = stablehlo.dot_general %106, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %108 = stablehlo.transpose %107, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %109 = stablehlo.dot_general %106, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %110 = stablehlo.add %100, %109 : tensor<8x8xf32>
    %111 = stablehlo.dot_general %110, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %113 = stablehlo.dot_general %110, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %114 = stablehlo.multiply %113, %3 : tensor<8x16xf32>
    %115 = stablehlo.multiply %114, %1 : tensor<8x16xf32>
    %116 = stablehlo.add %114, %115 : tensor<8x16xf32>
    %117 = stablehlo.dot_general %116, %arg19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %119 = stablehlo.add %arg9, %63 : tensor<f32>
    %120 = stablehlo.add %arg10, %79 : tensor<8x10xf32>
    %121 = stablehlo.add %arg11, %118 : tensor<8x16xf32>
    %122 = stablehlo.add %arg12, %112 : tensor<16x8xf32>
    %123 = stablehlo.add %arg13, %108 : tensor<8x16xf32>
    %124 = stablehlo.add %arg14, %102 : tensor<16x8xf32>
    %125 = stablehlo.add %arg15, %98 : tensor<8x16xf32>
    %126 = stablehlo.add %arg16, %92 : tensor<16x8xf32>
    %127 = stablehlo.add %arg17, %88 : tensor<8x16xf32>
    %128 = stablehlo.add %arg18, %82 : tensor<16x8xf32>
    return %119, %120, %121, %122, %123, %124, %125, %126, %127, %128 : tensor<f32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>
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
// 0 -> 1: 3 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// groups with meshes of their own:
// 0 -> 1: 3 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe-v agree
// dualpipe, chimera: groups 0 and 1 have copies of the same stages, whose gradients are added up, but meshes of their own
