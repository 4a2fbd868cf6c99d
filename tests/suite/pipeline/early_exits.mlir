// test: pipeline stages=2 microbatches=4
// Every layer has a loss of its own by the same head, whose gradient is the sum of what each of them gives.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x16xf32>, %arg9: tensor<32x4xf32>) -> (tensor<16x16xf32> {jax.result_info = "result[0]['l'][0]"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][1]"}, tensor<16x16xf32> {jax.result_info = "result[0]['l'][2]"}, tensor<16x4xf32> {jax.result_info = "result[0]['o']"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][0]"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][1]"}, tensor<16x16xf32> {jax.result_info = "result[1]['l'][2]"}, tensor<16x4xf32> {jax.result_info = "result[1]['o']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %1 = stablehlo.tanh %0 : tensor<32x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<32x16xf32>
    %4 = stablehlo.add %arg8, %1 : tensor<32x16xf32>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %6 = stablehlo.subtract %5, %arg9 : tensor<32x4xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<32x4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<32x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.add %cst_3, %11 : tensor<f32>
    %13 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %14 = stablehlo.tanh %13 : tensor<32x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<32x16xf32>
    %17 = stablehlo.add %4, %14 : tensor<32x16xf32>
    %18 = stablehlo.dot_general %17, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %19 = stablehlo.subtract %18, %arg9 : tensor<32x4xf32>
    %20 = stablehlo.multiply %19, %19 : tensor<32x4xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<32x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%20 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %24 = stablehlo.divide %23, %cst_7 : tensor<f32>
    %25 = stablehlo.add %12, %24 : tensor<f32>
    %26 = stablehlo.dot_general %17, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %27 = stablehlo.tanh %26 : tensor<32x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %29 = stablehlo.subtract %28, %27 : tensor<32x16xf32>
    %30 = stablehlo.add %17, %27 : tensor<32x16xf32>
    %31 = stablehlo.dot_general %30, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %32 = stablehlo.subtract %31, %arg9 : tensor<32x4xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<32x4xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<32x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%33 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %37 = stablehlo.divide %36, %cst_11 : tensor<f32>
    %38 = stablehlo.add %25, %37 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %39 = stablehlo.divide %cst_12, %cst_13 : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %41 = stablehlo.multiply %40, %35 : tensor<32x4xf32>
    %42 = stablehlo.dot_general %41, %30, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %44 = stablehlo.dot_general %41, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %45 = stablehlo.multiply %44, %29 : tensor<32x16xf32>
    %46 = stablehlo.multiply %45, %27 : tensor<32x16xf32>
    %47 = stablehlo.add %45, %46 : tensor<32x16xf32>
    %48 = stablehlo.dot_general %47, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %50 = stablehlo.dot_general %47, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %51 = stablehlo.add %44, %50 : tensor<32x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %52 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %54 = stablehlo.multiply %53, %22 : tensor<32x4xf32>
    %55 = stablehlo.dot_general %54, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %57 = stablehlo.add %43, %56 : tensor<16x4xf32>
    %58 = stablehlo.dot_general %54, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %59 = stablehlo.add %51, %58 : tensor<32x16xf32>
    %60 = stablehlo.multiply %59, %16 : tensor<32x16xf32>
    %61 = stablehlo.multiply %60, %14 : tensor<32x16xf32>
    %62 = stablehlo.add %60, %61 : tensor<32x16xf32>
    %63 = stablehlo.dot_general %62, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %64 = stablehlo.transpose %63, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %65 = stablehlo.dot_general %62, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %66 = stablehlo.add %59, %65 : tensor<32x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %67 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %69 = stablehlo.multiply %68, %9 : tensor<32x4xf32>
    %70 = stablehlo.dot_general %69, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %71 = stablehlo.transpose %70, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %72 = stablehlo.add %57, %71 : tensor<16x4xf32>
    %73 = stablehlo.dot_general %69, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %74 = stablehlo.add %66, %73 : tensor<32x16xf32>
    %75 = stablehlo.multiply %74, %3 : tensor<32x16xf32>
    %76 = stablehlo.multiply %75, %1 : tensor<32x16xf32>
    %77 = stablehlo.add %75, %76 : tensor<32x16xf32>
    %78 = stablehlo.dot_general %77, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %81 = stablehlo.multiply %80, %arg4 : tensor<16x16xf32>
    %82 = stablehlo.add %81, %79 : tensor<16x16xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %84 = stablehlo.multiply %83, %arg5 : tensor<16x16xf32>
    %85 = stablehlo.add %84, %64 : tensor<16x16xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %87 = stablehlo.multiply %86, %arg6 : tensor<16x16xf32>
    %88 = stablehlo.add %87, %49 : tensor<16x16xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %90 = stablehlo.multiply %89, %arg7 : tensor<16x4xf32>
    %91 = stablehlo.add %90, %72 : tensor<16x4xf32>
    %cst_22 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %93 = stablehlo.multiply %92, %82 : tensor<16x16xf32>
    %94 = stablehlo.subtract %arg0, %93 : tensor<16x16xf32>
    %cst_23 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %96 = stablehlo.multiply %95, %85 : tensor<16x16xf32>
    %97 = stablehlo.subtract %arg1, %96 : tensor<16x16xf32>
    %cst_24 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %99 = stablehlo.multiply %98, %88 : tensor<16x16xf32>
    %100 = stablehlo.subtract %arg2, %99 : tensor<16x16xf32>
    %cst_25 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %102 = stablehlo.multiply %101, %91 : tensor<16x4xf32>
    %103 = stablehlo.subtract %arg3, %102 : tensor<16x4xf32>
    return %94, %97, %100, %103, %82, %85, %88, %91, %38 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x4xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
