// test: offload kinds=waiting
// What a turn makes and reads only behind what takes the memory goes to the host, and comes back in the same turn, where
// cheap values are made of it again.
#loc1 = loc("arg0")
#loc2 = loc("arg1")
#loc3 = loc("arg2")
#loc4 = loc("momentum.arg0")
#loc5 = loc("momentum.arg1")
#loc6 = loc("momentum.arg2")
#loc7 = loc("step")
#loc8 = loc("arg3")
module {
  func.func @main(%arg0: tensor<3x4x4xf32> {tf.aliasing_output = 0 : i32} loc("arg0"), %arg1: tensor<3x4x32xf32> {tf.aliasing_output = 1 : i32} loc("arg1"), %arg2: tensor<3x32x4xf32> {tf.aliasing_output = 2 : i32} loc("arg2"), %arg3: tensor<3x4x4xf32> {tf.aliasing_output = 3 : i32} loc("momentum.arg0"), %arg4: tensor<3x4x32xf32> {tf.aliasing_output = 4 : i32} loc("momentum.arg1"), %arg5: tensor<3x32x4xf32> {tf.aliasing_output = 5 : i32} loc("momentum.arg2"), %arg6: tensor<i32> {tf.aliasing_output = 6 : i32} loc("step"), %arg7: tensor<8x4xf32> loc("arg3")) -> (tensor<3x4x4xf32> {jax.result_info = "arg0"}, tensor<3x4x32xf32> {jax.result_info = "arg1"}, tensor<3x32x4xf32> {jax.result_info = "arg2"}, tensor<3x4x4xf32> {jax.result_info = "momentum.arg0"}, tensor<3x4x32xf32> {jax.result_info = "momentum.arg1"}, tensor<3x32x4xf32> {jax.result_info = "momentum.arg2"}, tensor<i32> {jax.result_info = "step"}, tensor<f32> {jax.result_info = "loss"}) {
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x32xf32> loc(#loc)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x4xf32> loc(#loc)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x4xf32> loc(#loc)
    %0:5 = stablehlo.while(%iterArg = %c, %iterArg_15 = %arg7, %iterArg_16 = %cst_0, %iterArg_17 = %cst_1, %iterArg_18 = %cst_2) : tensor<i32>, tensor<8x4xf32>, tensor<3x8x32xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32>
    cond {
      %c_19 = stablehlo.constant dense<3> : tensor<i32> loc(#loc)
      %24 = stablehlo.compare LT, %iterArg, %c_19 : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc)
      stablehlo.return %24 : tensor<i1> loc(#loc)
    } do {
      %c_19 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %c_20 = stablehlo.constant dense<1> : tensor<i32> loc(#loc)
      %24 = stablehlo.dynamic_slice %arg0, %iterArg, %c_19, %c_19, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32> loc(#loc)
      %25 = stablehlo.reshape %24 : (tensor<1x4x4xf32>) -> tensor<4x4xf32> loc(#loc)
      %26 = stablehlo.dynamic_slice %arg1, %iterArg, %c_19, %c_19, sizes = [1, 4, 32] : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x32xf32> loc(#loc)
      %27 = stablehlo.reshape %26 : (tensor<1x4x32xf32>) -> tensor<4x32xf32> loc(#loc)
      %28 = stablehlo.dynamic_slice %arg2, %iterArg, %c_19, %c_19, sizes = [1, 32, 4] : (tensor<3x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4xf32> loc(#loc)
      %29 = stablehlo.reshape %28 : (tensor<1x32x4xf32>) -> tensor<32x4xf32> loc(#loc)
      %30 = stablehlo.dot_general %iterArg_15, %25, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc(#loc)
      %31 = stablehlo.tanh %30 : tensor<8x4xf32> loc(#loc)
      %32 = stablehlo.dot_general %31, %27, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x32xf32>) -> tensor<8x32xf32> loc(#loc)
      %33 = stablehlo.tanh %32 : tensor<8x32xf32> loc(#loc)
      %34 = stablehlo.dot_general %33, %29, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32> loc(#loc)
      %35 = stablehlo.add %iterArg_15, %34 : tensor<8x4xf32> loc(#loc)
      %36 = stablehlo.add %iterArg, %c_20 : tensor<i32> loc(#loc)
      %c_21 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %37 = stablehlo.reshape %33 : (tensor<8x32xf32>) -> tensor<1x8x32xf32> loc(#loc)
      %38 = stablehlo.dynamic_update_slice %iterArg_16, %37, %iterArg, %c_21, %c_21 : (tensor<3x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x32xf32> loc(#loc)
      %c_22 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %39 = stablehlo.reshape %31 : (tensor<8x4xf32>) -> tensor<1x8x4xf32> loc(#loc)
      %40 = stablehlo.dynamic_update_slice %iterArg_17, %39, %iterArg, %c_22, %c_22 : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32> loc(#loc)
      %c_23 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %41 = stablehlo.reshape %iterArg_15 : (tensor<8x4xf32>) -> tensor<1x8x4xf32> loc(#loc)
      %42 = stablehlo.dynamic_update_slice %iterArg_18, %41, %iterArg, %c_23, %c_23 : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32> loc(#loc)
      stablehlo.return %36, %35, %38, %40, %42 : tensor<i32>, tensor<8x4xf32>, tensor<3x8x32xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32> loc(#loc)
    } loc(#loc)
    %1 = stablehlo.multiply %0#1, %0#1 : tensor<8x4xf32> loc(#loc)
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc)
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32> loc(#loc)
    %3 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4xf32> loc(#loc)
    %4 = stablehlo.multiply %3, %0#1 : tensor<8x4xf32> loc(#loc)
    %5 = stablehlo.multiply %3, %0#1 : tensor<8x4xf32> loc(#loc)
    %6 = stablehlo.add %4, %5 : tensor<8x4xf32> loc(#loc)
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x4xf32> loc(#loc)
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x32xf32> loc(#loc)
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<3x32x4xf32> loc(#loc)
    %c_7 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %7:5 = stablehlo.while(%iterArg = %c_7, %iterArg_15 = %6, %iterArg_16 = %cst_4, %iterArg_17 = %cst_5, %iterArg_18 = %cst_6) : tensor<i32>, tensor<8x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>
    cond {
      %c_19 = stablehlo.constant dense<3> : tensor<i32> loc(#loc)
      %24 = stablehlo.compare LT, %iterArg, %c_19 : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc)
      stablehlo.return %24 : tensor<i1> loc(#loc)
    } do {
      %c_19 = stablehlo.constant dense<2> : tensor<i32> loc(#loc)
      %24 = stablehlo.subtract %c_19, %iterArg : tensor<i32> loc(#loc)
      %c_20 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %25 = stablehlo.dynamic_slice %0#2, %24, %c_20, %c_20, sizes = [1, 8, 32] : (tensor<3x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32> loc(#loc)
      %26 = stablehlo.reshape %25 : (tensor<1x8x32xf32>) -> tensor<8x32xf32> loc(#loc)
      %c_21 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %27 = stablehlo.dynamic_slice %0#3, %24, %c_21, %c_21, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32> loc(#loc)
      %28 = stablehlo.reshape %27 : (tensor<1x8x4xf32>) -> tensor<8x4xf32> loc(#loc)
      %c_22 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %29 = stablehlo.dynamic_slice %0#4, %24, %c_22, %c_22, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32> loc(#loc)
      %30 = stablehlo.reshape %29 : (tensor<1x8x4xf32>) -> tensor<8x4xf32> loc(#loc)
      %c_23 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
      %31 = stablehlo.dynamic_slice %arg2, %24, %c_23, %c_23, sizes = [1, 32, 4] : (tensor<3x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4xf32> loc(#loc)
      %32 = stablehlo.reshape %31 : (tensor<1x32x4xf32>) -> tensor<32x4xf32> loc(#loc)
      %33 = stablehlo.dot_general %iterArg_15, %32, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<32x4xf32>) -> tensor<8x32xf32> loc(#loc)
      %34 = stablehlo.dot_general %iterArg_15, %26, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x32xf32>) -> tensor<4x32xf32> loc(#loc)
      %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<4x32xf32>) -> tensor<32x4xf32> loc(#loc)
      %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<8x32xf32> loc(#loc)
      %36 = stablehlo.add %cst_24, %26 : tensor<8x32xf32> loc(#loc)
      %37 = stablehlo.subtract %cst_24, %26 : tensor<8x32xf32> loc(#loc)
      %38 = stablehlo.multiply %36, %37 : tensor<8x32xf32> loc(#loc)
      %39 = stablehlo.multiply %33, %38 : tensor<8x32xf32> loc(#loc)
      %40 = stablehlo.dynamic_slice %arg1, %24, %c_23, %c_23, sizes = [1, 4, 32] : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x32xf32> loc(#loc)
      %41 = stablehlo.reshape %40 : (tensor<1x4x32xf32>) -> tensor<4x32xf32> loc(#loc)
      %42 = stablehlo.dot_general %39, %41, contracting_dims = [1] x [1] : (tensor<8x32xf32>, tensor<4x32xf32>) -> tensor<8x4xf32> loc(#loc)
      %43 = stablehlo.dot_general %39, %28, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x4xf32>) -> tensor<32x4xf32> loc(#loc)
      %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<32x4xf32>) -> tensor<4x32xf32> loc(#loc)
      %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32> loc(#loc)
      %45 = stablehlo.add %cst_25, %28 : tensor<8x4xf32> loc(#loc)
      %46 = stablehlo.subtract %cst_25, %28 : tensor<8x4xf32> loc(#loc)
      %47 = stablehlo.multiply %45, %46 : tensor<8x4xf32> loc(#loc)
      %48 = stablehlo.multiply %42, %47 : tensor<8x4xf32> loc(#loc)
      %49 = stablehlo.dynamic_slice %arg0, %24, %c_23, %c_23, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32> loc(#loc)
      %50 = stablehlo.reshape %49 : (tensor<1x4x4xf32>) -> tensor<4x4xf32> loc(#loc)
      %51 = stablehlo.dot_general %48, %50, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc(#loc)
      %52 = stablehlo.add %iterArg_15, %51 : tensor<8x4xf32> loc(#loc)
      %53 = stablehlo.dot_general %48, %30, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> loc(#loc)
      %54 = stablehlo.transpose %53, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc)
      %55 = stablehlo.reshape %35 : (tensor<32x4xf32>) -> tensor<1x32x4xf32> loc(#loc)
      %56 = stablehlo.dynamic_update_slice %iterArg_18, %55, %24, %c_23, %c_23 : (tensor<3x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x4xf32> loc(#loc)
      %57 = stablehlo.reshape %44 : (tensor<4x32xf32>) -> tensor<1x4x32xf32> loc(#loc)
      %58 = stablehlo.dynamic_update_slice %iterArg_17, %57, %24, %c_23, %c_23 : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x32xf32> loc(#loc)
      %59 = stablehlo.reshape %54 : (tensor<4x4xf32>) -> tensor<1x4x4xf32> loc(#loc)
      %60 = stablehlo.dynamic_update_slice %iterArg_16, %59, %24, %c_23, %c_23 : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32> loc(#loc)
      %c_26 = stablehlo.constant dense<1> : tensor<i32> loc(#loc)
      %61 = stablehlo.add %iterArg, %c_26 : tensor<i32> loc(#loc)
      stablehlo.return %61, %52, %60, %58, %56 : tensor<i32>, tensor<8x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32> loc(#loc)
    } loc(#loc)
    %c_8 = stablehlo.constant dense<1> : tensor<i32> loc(#loc)
    %8 = stablehlo.add %arg6, %c_8 : tensor<i32> loc(#loc)
    %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32> loc(#loc)
    %cst_9 = stablehlo.constant dense<0.899999976> : tensor<3x4x4xf32> loc(#loc)
    %10 = stablehlo.multiply %arg3, %cst_9 : tensor<3x4x4xf32> loc(#loc)
    %11 = stablehlo.add %10, %7#2 : tensor<3x4x4xf32> loc(#loc)
    %cst_10 = stablehlo.constant dense<0.00999999977> : tensor<3x4x4xf32> loc(#loc)
    %12 = stablehlo.multiply %11, %cst_10 : tensor<3x4x4xf32> loc(#loc)
    %13 = stablehlo.subtract %arg0, %12 : tensor<3x4x4xf32> loc(#loc)
    %14 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32> loc(#loc)
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<3x4x32xf32> loc(#loc)
    %15 = stablehlo.multiply %arg4, %cst_11 : tensor<3x4x32xf32> loc(#loc)
    %16 = stablehlo.add %15, %7#3 : tensor<3x4x32xf32> loc(#loc)
    %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<3x4x32xf32> loc(#loc)
    %17 = stablehlo.multiply %16, %cst_12 : tensor<3x4x32xf32> loc(#loc)
    %18 = stablehlo.subtract %arg1, %17 : tensor<3x4x32xf32> loc(#loc)
    %19 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32> loc(#loc)
    %cst_13 = stablehlo.constant dense<0.899999976> : tensor<3x32x4xf32> loc(#loc)
    %20 = stablehlo.multiply %arg5, %cst_13 : tensor<3x32x4xf32> loc(#loc)
    %21 = stablehlo.add %20, %7#4 : tensor<3x32x4xf32> loc(#loc)
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<3x32x4xf32> loc(#loc)
    %22 = stablehlo.multiply %21, %cst_14 : tensor<3x32x4xf32> loc(#loc)
    %23 = stablehlo.subtract %arg2, %22 : tensor<3x32x4xf32> loc(#loc)
    return %13, %18, %23, %11, %16, %21, %8, %2 : tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>, tensor<i32>, tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
// expect:
// module {
//   func.func @main(%arg0: tensor<3x4x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<3x4x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<3x32x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<3x4x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x4x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<3x32x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<i32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x4xf32>) -> (tensor<3x4x4xf32> {jax.result_info = "arg0"}, tensor<3x4x32xf32> {jax.result_info = "arg1"}, tensor<3x32x4xf32> {jax.result_info = "arg2"}, tensor<3x4x4xf32> {jax.result_info = "momentum.arg0"}, tensor<3x4x32xf32> {jax.result_info = "momentum.arg1"}, tensor<3x32x4xf32> {jax.result_info = "momentum.arg2"}, tensor<i32> {jax.result_info = "step"}, tensor<f32> {jax.result_info = "loss"}) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x32xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x4xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<3x8x4xf32>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_15 = %arg7, %iterArg_16 = %cst_0, %iterArg_17 = %cst_1, %iterArg_18 = %cst_2) : tensor<i32>, tensor<8x4xf32>, tensor<3x8x32xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32>
//     cond {
//       %c_19 = stablehlo.constant dense<3> : tensor<i32>
//       %24 = stablehlo.compare LT, %iterArg, %c_19 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %24 : tensor<i1>
//     } do {
//       %c_19 = stablehlo.constant dense<0> : tensor<i32>
//       %c_20 = stablehlo.constant dense<1> : tensor<i32>
//       %24 = stablehlo.dynamic_slice %arg0, %iterArg, %c_19, %c_19, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %25 = stablehlo.reshape %24 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %26 = stablehlo.dynamic_slice %arg1, %iterArg, %c_19, %c_19, sizes = [1, 4, 32] : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x32xf32>
//       %27 = stablehlo.reshape %26 : (tensor<1x4x32xf32>) -> tensor<4x32xf32>
//       %28 = stablehlo.dynamic_slice %arg2, %iterArg, %c_19, %c_19, sizes = [1, 32, 4] : (tensor<3x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4xf32>
//       %29 = stablehlo.reshape %28 : (tensor<1x32x4xf32>) -> tensor<32x4xf32>
//       %30 = stablehlo.dot_general %iterArg_15, %25, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
//       %31 = stablehlo.tanh %30 : tensor<8x4xf32>
//       %32 = stablehlo.dot_general %31, %27, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x32xf32>) -> tensor<8x32xf32>
//       %33 = stablehlo.tanh %32 : tensor<8x32xf32>
//       %34 = stablehlo.dot_general %33, %29, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
//       %35 = stablehlo.add %iterArg_15, %34 : tensor<8x4xf32>
//       %36 = stablehlo.add %iterArg, %c_20 : tensor<i32>
//       %c_21 = stablehlo.constant dense<0> : tensor<i32>
//       %37 = stablehlo.reshape %33 : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
//       %38 = stablehlo.dynamic_update_slice %iterArg_16, %37, %iterArg, %c_21, %c_21 : (tensor<3x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x32xf32>
//       %c_22 = stablehlo.constant dense<0> : tensor<i32>
//       %39 = stablehlo.reshape %31 : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
//       %40 = stablehlo.dynamic_update_slice %iterArg_17, %39, %iterArg, %c_22, %c_22 : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32>
//       %c_23 = stablehlo.constant dense<0> : tensor<i32>
//       %41 = stablehlo.reshape %iterArg_15 : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
//       %42 = stablehlo.dynamic_update_slice %iterArg_18, %41, %iterArg, %c_23, %c_23 : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32>
//       stablehlo.return %36, %35, %38, %40, %42 : tensor<i32>, tensor<8x4xf32>, tensor<3x8x32xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32>
//     }
//     %1 = stablehlo.multiply %0#1, %0#1 : tensor<8x4xf32>
//     %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
//     %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
//     %3 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
//     %4 = stablehlo.multiply %3, %0#1 : tensor<8x4xf32>
//     %5 = stablehlo.multiply %3, %0#1 : tensor<8x4xf32>
//     %6 = stablehlo.add %4, %5 : tensor<8x4xf32>
//     %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x4xf32>
//     %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x32xf32>
//     %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<3x32x4xf32>
//     %c_7 = stablehlo.constant dense<0> : tensor<i32>
//     %7:5 = stablehlo.while(%iterArg = %c_7, %iterArg_15 = %6, %iterArg_16 = %cst_4, %iterArg_17 = %cst_5, %iterArg_18 = %cst_6) : tensor<i32>, tensor<8x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>
//     cond {
//       %c_19 = stablehlo.constant dense<3> : tensor<i32>
//       %24 = stablehlo.compare LT, %iterArg, %c_19 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %24 : tensor<i1>
//     } do {
//       %c_19 = stablehlo.constant dense<2> : tensor<i32>
//       %24 = stablehlo.subtract %c_19, %iterArg : tensor<i32>
//       %c_20 = stablehlo.constant dense<0> : tensor<i32>
//       %25 = stablehlo.dynamic_slice %0#2, %24, %c_20, %c_20, sizes = [1, 8, 32] : (tensor<3x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
//       %26 = stablehlo.custom_call @annotate_device_placement(%25) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<1x8x32xf32>) -> tensor<1x8x32xf32>
//       %27 = stablehlo.reshape %25 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
//       %c_21 = stablehlo.constant dense<0> : tensor<i32>
//       %28 = stablehlo.dynamic_slice %0#3, %24, %c_21, %c_21, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
//       %29 = stablehlo.reshape %28 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
//       %c_22 = stablehlo.constant dense<0> : tensor<i32>
//       %30 = stablehlo.dynamic_slice %0#4, %24, %c_22, %c_22, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
//       %31 = stablehlo.reshape %30 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
//       %c_23 = stablehlo.constant dense<0> : tensor<i32>
//       %32 = stablehlo.dynamic_slice %arg2, %24, %c_23, %c_23, sizes = [1, 32, 4] : (tensor<3x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4xf32>
//       %33 = stablehlo.reshape %32 : (tensor<1x32x4xf32>) -> tensor<32x4xf32>
//       %34 = stablehlo.dot_general %iterArg_15, %33, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<32x4xf32>) -> tensor<8x32xf32>
//       %35 = stablehlo.custom_call @annotate_device_placement(%34) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       %36 = stablehlo.custom_call @annotate_device_placement(%26) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device", meshwright_late = "true"}} : (tensor<1x8x32xf32>) -> tensor<1x8x32xf32>
//       %37 = stablehlo.reshape %36 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
//       %38 = stablehlo.dot_general %iterArg_15, %37, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
//       %39 = stablehlo.custom_call @annotate_device_placement(%38) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x32xf32>) -> tensor<4x32xf32>
//       %40 = stablehlo.transpose %38, dims = [1, 0] : (tensor<4x32xf32>) -> tensor<32x4xf32>
//       %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<8x32xf32>
//       %41 = stablehlo.add %cst_24, %37 : tensor<8x32xf32>
//       %42 = stablehlo.subtract %cst_24, %37 : tensor<8x32xf32>
//       %43 = stablehlo.multiply %41, %42 : tensor<8x32xf32>
//       %44 = stablehlo.custom_call @annotate_device_placement(%35) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device", meshwright_late = "true"}} : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       %45 = stablehlo.multiply %44, %43 : tensor<8x32xf32>
//       %46 = stablehlo.dynamic_slice %arg1, %24, %c_23, %c_23, sizes = [1, 4, 32] : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x32xf32>
//       %47 = stablehlo.reshape %46 : (tensor<1x4x32xf32>) -> tensor<4x32xf32>
//       %48 = stablehlo.dot_general %45, %47, contracting_dims = [1] x [1] : (tensor<8x32xf32>, tensor<4x32xf32>) -> tensor<8x4xf32>
//       %49 = stablehlo.dot_general %45, %29, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x4xf32>) -> tensor<32x4xf32>
//       %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<32x4xf32>) -> tensor<4x32xf32>
//       %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32>
//       %51 = stablehlo.add %cst_25, %29 : tensor<8x4xf32>
//       %52 = stablehlo.subtract %cst_25, %29 : tensor<8x4xf32>
//       %53 = stablehlo.multiply %51, %52 : tensor<8x4xf32>
//       %54 = stablehlo.multiply %48, %53 : tensor<8x4xf32>
//       %55 = stablehlo.dynamic_slice %arg0, %24, %c_23, %c_23, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %56 = stablehlo.reshape %55 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %57 = stablehlo.dot_general %54, %56, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
//       %58 = stablehlo.add %iterArg_15, %57 : tensor<8x4xf32>
//       %59 = stablehlo.dot_general %54, %31, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
//       %60 = stablehlo.transpose %59, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
//       %61 = stablehlo.custom_call @annotate_device_placement(%39) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device", meshwright_late = "true"}} : (tensor<4x32xf32>) -> tensor<4x32xf32>
//       %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<4x32xf32>) -> tensor<32x4xf32>
//       %63 = stablehlo.reshape %62 : (tensor<32x4xf32>) -> tensor<1x32x4xf32>
//       %64 = stablehlo.dynamic_update_slice %iterArg_18, %63, %24, %c_23, %c_23 : (tensor<3x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x4xf32>
//       %65 = stablehlo.reshape %50 : (tensor<4x32xf32>) -> tensor<1x4x32xf32>
//       %66 = stablehlo.dynamic_update_slice %iterArg_17, %65, %24, %c_23, %c_23 : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x32xf32>
//       %67 = stablehlo.reshape %60 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
//       %68 = stablehlo.dynamic_update_slice %iterArg_16, %67, %24, %c_23, %c_23 : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
//       %c_26 = stablehlo.constant dense<1> : tensor<i32>
//       %69 = stablehlo.add %iterArg, %c_26 : tensor<i32>
//       stablehlo.return %69, %58, %68, %66, %64 : tensor<i32>, tensor<8x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>
//     }
//     %c_8 = stablehlo.constant dense<1> : tensor<i32>
//     %8 = stablehlo.add %arg6, %c_8 : tensor<i32>
//     %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
//     %cst_9 = stablehlo.constant dense<0.899999976> : tensor<3x4x4xf32>
//     %10 = stablehlo.multiply %arg3, %cst_9 : tensor<3x4x4xf32>
//     %11 = stablehlo.add %10, %7#2 : tensor<3x4x4xf32>
//     %cst_10 = stablehlo.constant dense<0.00999999977> : tensor<3x4x4xf32>
//     %12 = stablehlo.multiply %11, %cst_10 : tensor<3x4x4xf32>
//     %13 = stablehlo.subtract %arg0, %12 : tensor<3x4x4xf32>
//     %14 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
//     %cst_11 = stablehlo.constant dense<0.899999976> : tensor<3x4x32xf32>
//     %15 = stablehlo.multiply %arg4, %cst_11 : tensor<3x4x32xf32>
//     %16 = stablehlo.add %15, %7#3 : tensor<3x4x32xf32>
//     %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<3x4x32xf32>
//     %17 = stablehlo.multiply %16, %cst_12 : tensor<3x4x32xf32>
//     %18 = stablehlo.subtract %arg1, %17 : tensor<3x4x32xf32>
//     %19 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
//     %cst_13 = stablehlo.constant dense<0.899999976> : tensor<3x32x4xf32>
//     %20 = stablehlo.multiply %arg5, %cst_13 : tensor<3x32x4xf32>
//     %21 = stablehlo.add %20, %7#4 : tensor<3x32x4xf32>
//     %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<3x32x4xf32>
//     %22 = stablehlo.multiply %21, %cst_14 : tensor<3x32x4xf32>
//     %23 = stablehlo.subtract %arg2, %22 : tensor<3x32x4xf32>
//     return %13, %18, %23, %11, %16, %21, %8, %2 : tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>, tensor<3x4x4xf32>, tensor<3x4x32xf32>, tensor<3x32x4xf32>, tensor<i32>, tensor<f32>
//   }
// }
// 0 results differ
