// test: pipeline stages=2 microbatches=4
// Layers of a scan share their weights.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x2xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x3xf32>, %arg9: tensor<8x2xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]['in']"}, tensor<4x2xf32> {jax.result_info = "result[0]['out']"}, tensor<8x4xf32> {jax.result_info = "result[0]['v']"}, tensor<4x8xf32> {jax.result_info = "result[0]['w']"}, tensor<3x4xf32> {jax.result_info = "result[1]['in']"}, tensor<4x2xf32> {jax.result_info = "result[1]['out']"}, tensor<8x4xf32> {jax.result_info = "result[1]['v']"}, tensor<4x8xf32> {jax.result_info = "result[1]['w']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:7 = stablehlo.while(%iterArg = %arg3, %iterArg_18 = %arg2, %iterArg_19 = %c, %iterArg_20 = %0, %iterArg_21 = %1, %iterArg_22 = %2, %iterArg_23 = %3) : tensor<4x8xf32>, tensor<8x4xf32>, tensor<i32>, tensor<8x4xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    cond {
      %c_24 = stablehlo.constant dense<4> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_19, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %47 : tensor<i1>
    } do {
      %47:4 = func.call @closed_call(%iterArg, %iterArg_18, %iterArg_20) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_21, %47#1, %iterArg_19) : (tensor<4x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<4x8x4xf32>
      %49 = func.call @dynamic_update_index_in_dim_0(%iterArg_22, %47#2, %iterArg_19) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %50 = func.call @dynamic_update_index_in_dim_0(%iterArg_23, %47#3, %iterArg_19) : (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<4x8x8xf32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %51 = stablehlo.add %iterArg_19, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %51, %47#0, %48, %49, %50 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<i32>, tensor<8x4xf32>, tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
    }
    %5 = stablehlo.dot_general %4#3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %6 = stablehlo.subtract %5, %arg9 : tensor<8x2xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<8x2xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<8x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %12 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %14 = stablehlo.multiply %13, %9 : tensor<8x2xf32>
    %15 = stablehlo.dot_general %14, %4#3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %17 = stablehlo.dot_general %14, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %20:9 = stablehlo.while(%iterArg = %4#4, %iterArg_18 = %4#5, %iterArg_19 = %4#6, %iterArg_20 = %arg3, %iterArg_21 = %arg2, %iterArg_22 = %c_9, %iterArg_23 = %18, %iterArg_24 = %19, %iterArg_25 = %17) : tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    cond {
      %c_26 = stablehlo.constant dense<4> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_22, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %47 : tensor<i1>
    } do {
      %c_26 = stablehlo.constant dense<4> : tensor<i32>
      %47 = stablehlo.subtract %c_26, %iterArg_22 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %48 = stablehlo.subtract %47, %c_27 : tensor<i32>
      %49 = func.call @dynamic_index_in_dim(%iterArg, %48) : (tensor<4x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %50 = func.call @dynamic_index_in_dim_1(%iterArg_18, %48) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %51 = func.call @dynamic_index_in_dim_1(%iterArg_19, %48) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %52:3 = func.call @closed_call_2(%iterArg_20, %iterArg_21, %iterArg_23, %iterArg_24, %iterArg_25, %49, %50, %51) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %53 = stablehlo.add %iterArg_22, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %53, %52#0, %52#1, %52#2 : tensor<4x8x4xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    }
    %21 = stablehlo.dot_general %20#8, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %24 = stablehlo.multiply %23, %arg4 : tensor<3x4xf32>
    %25 = stablehlo.add %24, %22 : tensor<3x4xf32>
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %27 = stablehlo.multiply %26, %arg5 : tensor<4x2xf32>
    %28 = stablehlo.add %27, %16 : tensor<4x2xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %30 = stablehlo.multiply %29, %arg6 : tensor<8x4xf32>
    %31 = stablehlo.add %30, %20#7 : tensor<8x4xf32>
    %cst_13 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %33 = stablehlo.multiply %32, %arg7 : tensor<4x8xf32>
    %34 = stablehlo.add %33, %20#6 : tensor<4x8xf32>
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %36 = stablehlo.multiply %35, %25 : tensor<3x4xf32>
    %37 = stablehlo.subtract %arg0, %36 : tensor<3x4xf32>
    %cst_15 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %39 = stablehlo.multiply %38, %28 : tensor<4x2xf32>
    %40 = stablehlo.subtract %arg1, %39 : tensor<4x2xf32>
    %cst_16 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %42 = stablehlo.multiply %41, %31 : tensor<8x4xf32>
    %43 = stablehlo.subtract %arg2, %42 : tensor<8x4xf32>
    %cst_17 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %45 = stablehlo.multiply %44, %34 : tensor<4x8xf32>
    %46 = stablehlo.subtract %arg3, %45 : tensor<4x8xf32>
    return %37, %40, %43, %46, %25, %28, %31, %34, %11 : tensor<3x4xf32>, tensor<4x2xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<3x4xf32>, tensor<4x2xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.tanh %0 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x8xf32>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %5 = stablehlo.add %arg2, %4 : tensor<8x4xf32>
    return %5, %arg2, %1, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<4x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4xf32>
    return %1 : tensor<4x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<4x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    return %1 : tensor<4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.add %arg3, %1 : tensor<8x4xf32>
    %3 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.multiply %3, %arg7 : tensor<8x8xf32>
    %5 = stablehlo.multiply %4, %arg6 : tensor<8x8xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %6, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %9 = stablehlo.add %arg2, %8 : tensor<4x8xf32>
    %10 = stablehlo.dot_general %6, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %11 = stablehlo.add %arg4, %10 : tensor<8x4xf32>
    return %9, %2, %11 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
}
// expect:
// 0 -> 1: 7 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
