// test: stages count=2 stages=2
// Branches pass weights on to the backward pass: what is read of them is no copy that other stages could make.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x4x2xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2x2x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x2xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x3xf32>, %arg5: tensor<4x2xf32>) -> (tensor<3x2xf32> {jax.result_info = "result[0]['in']"}, tensor<2x4x2xf32> {jax.result_info = "result[0]['l']['v']"}, tensor<2x2x4xf32> {jax.result_info = "result[0]['l']['w']"}, tensor<2x2xf32> {jax.result_info = "result[0]['out']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.slice %arg1 [0:1, 0:4, 0:2] : (tensor<2x4x2xf32>) -> tensor<1x4x2xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4x2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.slice %arg2 [0:1, 0:2, 0:4] : (tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare GT, %c, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.convert %5 : (tensor<i1>) -> tensor<i32>
    %7:6 = "stablehlo.case"(%6) ({
      %46 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %47 = stablehlo.dot_general %46, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %48 = stablehlo.subtract %0, %47 : tensor<4x2xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      stablehlo.return %48, %4, %0, %2, %46, %53 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }, {
      %46 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %47 = stablehlo.tanh %46 : tensor<4x4xf32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %49 = stablehlo.subtract %48, %47 : tensor<4x4xf32>
      %50 = stablehlo.dot_general %47, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %51 = stablehlo.add %0, %50 : tensor<4x2xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      stablehlo.return %51, %4, %0, %2, %47, %49 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }) : (tensor<i32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    %8 = stablehlo.slice %arg1 [1:2, 0:4, 0:2] : (tensor<2x4x2xf32>) -> tensor<1x4x2xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x4x2xf32>) -> tensor<4x2xf32>
    %10 = stablehlo.slice %arg2 [1:2, 0:2, 0:4] : (tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.compare GT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = stablehlo.convert %12 : (tensor<i1>) -> tensor<i32>
    %14:6 = "stablehlo.case"(%13) ({
      %46 = stablehlo.dot_general %7#0, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %47 = stablehlo.dot_general %46, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %48 = stablehlo.subtract %7#0, %47 : tensor<4x2xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      stablehlo.return %48, %11, %7#0, %9, %46, %53 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }, {
      %46 = stablehlo.dot_general %7#0, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %47 = stablehlo.tanh %46 : tensor<4x4xf32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %49 = stablehlo.subtract %48, %47 : tensor<4x4xf32>
      %50 = stablehlo.dot_general %47, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %51 = stablehlo.add %7#0, %50 : tensor<4x2xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      stablehlo.return %51, %11, %7#0, %9, %47, %49 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }) : (tensor<i32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    %15 = stablehlo.dot_general %14#0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %16 = stablehlo.subtract %15, %arg5 : tensor<4x2xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %19 = stablehlo.multiply %18, %16 : tensor<4x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %21 = stablehlo.divide %20, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %22 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %24 = stablehlo.multiply %23, %19 : tensor<4x2xf32>
    %25 = stablehlo.dot_general %24, %14#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %27 = stablehlo.dot_general %24, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %28:3 = "stablehlo.case"(%13) ({
      %46 = stablehlo.negate %27 : tensor<4x2xf32>
      %47 = stablehlo.dot_general %46, %14#4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
      %49 = stablehlo.dot_general %46, %14#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
      %50 = stablehlo.dot_general %49, %14#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
      %52 = stablehlo.dot_general %49, %14#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x2xf32>
      %53 = stablehlo.add %27, %52 : tensor<4x2xf32>
      stablehlo.return %53, %48, %51 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>
    }, {
      %46 = stablehlo.dot_general %27, %14#4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
      %48 = stablehlo.dot_general %27, %14#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
      %49 = stablehlo.multiply %48, %14#5 : tensor<4x4xf32>
      %50 = stablehlo.multiply %49, %14#4 : tensor<4x4xf32>
      %51 = stablehlo.add %49, %50 : tensor<4x4xf32>
      %52 = stablehlo.dot_general %51, %14#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %53 = stablehlo.transpose %52, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
      %54 = stablehlo.dot_general %51, %14#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x2xf32>
      %55 = stablehlo.add %27, %54 : tensor<4x2xf32>
      stablehlo.return %55, %47, %53 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>
    }) : (tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>)
    %29 = stablehlo.broadcast_in_dim %28#2, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.pad %29, %cst_7, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %31 = stablehlo.broadcast_in_dim %28#1, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.pad %31, %cst_8, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x2xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %33:3 = "stablehlo.case"(%6) ({
      %46 = stablehlo.negate %28#0 : tensor<4x2xf32>
      %47 = stablehlo.dot_general %46, %7#4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
      %49 = stablehlo.dot_general %46, %7#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
      %50 = stablehlo.dot_general %49, %7#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
      %52 = stablehlo.dot_general %49, %7#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x2xf32>
      %53 = stablehlo.add %28#0, %52 : tensor<4x2xf32>
      stablehlo.return %53, %48, %51 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>
    }, {
      %46 = stablehlo.dot_general %28#0, %7#4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
      %48 = stablehlo.dot_general %28#0, %7#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
      %49 = stablehlo.multiply %48, %7#5 : tensor<4x4xf32>
      %50 = stablehlo.multiply %49, %7#4 : tensor<4x4xf32>
      %51 = stablehlo.add %49, %50 : tensor<4x4xf32>
      %52 = stablehlo.dot_general %51, %7#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %53 = stablehlo.transpose %52, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
      %54 = stablehlo.dot_general %51, %7#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x2xf32>
      %55 = stablehlo.add %28#0, %54 : tensor<4x2xf32>
      stablehlo.return %55, %47, %53 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>
    }) : (tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>)
    %34 = stablehlo.broadcast_in_dim %33#2, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.pad %34, %cst_9, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %36 = stablehlo.add %30, %35 : tensor<2x2x4xf32>
    %37 = stablehlo.broadcast_in_dim %33#1, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.pad %37, %cst_10, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x4x2xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %39 = stablehlo.add %32, %38 : tensor<2x4x2xf32>
    %40 = stablehlo.dot_general %33#0, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %42 = stablehlo.subtract %arg0, %41 : tensor<3x2xf32>
    %43 = stablehlo.subtract %arg1, %39 : tensor<2x4x2xf32>
    %44 = stablehlo.subtract %arg2, %36 : tensor<2x2x4xf32>
    %45 = stablehlo.subtract %arg3, %26 : tensor<2x2xf32>
    return %42, %43, %44, %45, %21 : tensor<3x2xf32>, tensor<2x4x2xf32>, tensor<2x2x4xf32>, tensor<2x2xf32>, tensor<f32>
  }
}
// expect:
// cut at [1]
// - stablehlo.reshape
// - stablehlo.constant
// - stablehlo.dynamic_slice
// - stablehlo.reshape
// 0 Forward stablehlo.dot_general
// - stablehlo.convert
// 1 Forward stablehlo.case
// - stablehlo.convert
// 1 Forward stablehlo.case
// 1 Forward stablehlo.dot_general
// - stablehlo.reshape
// - stablehlo.constant
// - stablehlo.dynamic_slice
// - stablehlo.reshape
// 1 Forward stablehlo.subtract
// 1 Forward stablehlo.multiply
// - stablehlo.constant
// - stablehlo.broadcast_in_dim
// 1 InputGradient stablehlo.multiply
// - stablehlo.constant
// 1 Forward stablehlo.reduce
// - stablehlo.broadcast_in_dim
// 1 InputGradient stablehlo.multiply
// 1 WeightGradient stablehlo.dot_general
// 1 InputGradient stablehlo.dot_general
// 1 InputGradient stablehlo.case
// 1 InputGradient stablehlo.case
// 0 WeightGradient stablehlo.dot_general
// - stablehlo.constant
// - stablehlo.add
// 1 Forward stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 0 WeightGradient stablehlo.add
// update of whoever reads it: stablehlo.divide
// update of whoever reads it: stablehlo.transpose
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of whoever reads it: stablehlo.pad
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of whoever reads it: stablehlo.pad
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of whoever reads it: stablehlo.pad
// update of whoever reads it: stablehlo.add
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of whoever reads it: stablehlo.pad
// update of whoever reads it: stablehlo.add
// update of whoever reads it: stablehlo.transpose
// update of whoever reads it: stablehlo.subtract
// update of whoever reads it: stablehlo.subtract
// update of whoever reads it: stablehlo.subtract
// update of whoever reads it: stablehlo.subtract
// 0F0 v49:0>1:0 0F1 v49:0>1:1 v159:1>0:0 v159:1>0:1 0B0 0B1 0U0
// v49:0>1:0 v49:0>1:1 1F0 1F1 1I0 v159:1>0:0 1I1 v159:1>0:1 1W0 1W1 1U0
