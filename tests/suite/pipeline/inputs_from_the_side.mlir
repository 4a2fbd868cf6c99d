// test: pipeline stages=2 microbatches=4
// Each layer reads the same data by a weight of its own, as the time of a diffusion: what it makes of them does not cross.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<8x8xf32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]['t'][0]"}, tensor<8x8xf32> {jax.result_info = "result[0]['t'][1]"}, tensor<8x8xf32> {jax.result_info = "result[0]['t'][2]"}, tensor<8x8xf32> {jax.result_info = "result[0]['t'][3]"}, tensor<8x8xf32> {jax.result_info = "result[0]['w'][0]"}, tensor<8x8xf32> {jax.result_info = "result[0]['w'][1]"}, tensor<8x8xf32> {jax.result_info = "result[0]['w'][2]"}, tensor<8x8xf32> {jax.result_info = "result[0]['w'][3]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg8, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = stablehlo.tanh %2 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<8x8xf32>
    %6 = stablehlo.add %arg8, %3 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %6, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot_general %arg9, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x8xf32>
    %10 = stablehlo.tanh %9 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<8x8xf32>
    %13 = stablehlo.add %6, %10 : tensor<8x8xf32>
    %14 = stablehlo.dot_general %13, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.dot_general %arg9, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.add %14, %15 : tensor<8x8xf32>
    %17 = stablehlo.tanh %16 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %19 = stablehlo.subtract %18, %17 : tensor<8x8xf32>
    %20 = stablehlo.add %13, %17 : tensor<8x8xf32>
    %21 = stablehlo.dot_general %20, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %22 = stablehlo.dot_general %arg9, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %23 = stablehlo.add %21, %22 : tensor<8x8xf32>
    %24 = stablehlo.tanh %23 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<8x8xf32>
    %27 = stablehlo.add %20, %24 : tensor<8x8xf32>
    %28 = stablehlo.subtract %27, %arg10 : tensor<8x8xf32>
    %29 = stablehlo.multiply %28, %28 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %33 = stablehlo.divide %32, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %34 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %36 = stablehlo.multiply %35, %31 : tensor<8x8xf32>
    %37 = stablehlo.multiply %36, %26 : tensor<8x8xf32>
    %38 = stablehlo.multiply %37, %24 : tensor<8x8xf32>
    %39 = stablehlo.add %37, %38 : tensor<8x8xf32>
    %40 = stablehlo.dot_general %39, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %42 = stablehlo.dot_general %39, %20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %44 = stablehlo.dot_general %39, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %45 = stablehlo.add %36, %44 : tensor<8x8xf32>
    %46 = stablehlo.multiply %45, %19 : tensor<8x8xf32>
    %47 = stablehlo.multiply %46, %17 : tensor<8x8xf32>
    %48 = stablehlo.add %46, %47 : tensor<8x8xf32>
    %49 = stablehlo.dot_general %48, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %51 = stablehlo.dot_general %48, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %53 = stablehlo.dot_general %48, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %54 = stablehlo.add %45, %53 : tensor<8x8xf32>
    %55 = stablehlo.multiply %54, %12 : tensor<8x8xf32>
    %56 = stablehlo.multiply %55, %10 : tensor<8x8xf32>
    %57 = stablehlo.add %55, %56 : tensor<8x8xf32>
    %58 = stablehlo.dot_general %57, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %60 = stablehlo.dot_general %57, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %61 = stablehlo.transpose %60, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %62 = stablehlo.dot_general %57, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %63 = stablehlo.add %54, %62 : tensor<8x8xf32>
    %64 = stablehlo.multiply %63, %5 : tensor<8x8xf32>
    %65 = stablehlo.multiply %64, %3 : tensor<8x8xf32>
    %66 = stablehlo.add %64, %65 : tensor<8x8xf32>
    %67 = stablehlo.dot_general %66, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %68 = stablehlo.transpose %67, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %69 = stablehlo.dot_general %66, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %72 = stablehlo.multiply %71, %68 : tensor<8x8xf32>
    %73 = stablehlo.subtract %arg0, %72 : tensor<8x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %75 = stablehlo.multiply %74, %59 : tensor<8x8xf32>
    %76 = stablehlo.subtract %arg1, %75 : tensor<8x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %78 = stablehlo.multiply %77, %50 : tensor<8x8xf32>
    %79 = stablehlo.subtract %arg2, %78 : tensor<8x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %81 = stablehlo.multiply %80, %41 : tensor<8x8xf32>
    %82 = stablehlo.subtract %arg3, %81 : tensor<8x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %84 = stablehlo.multiply %83, %70 : tensor<8x8xf32>
    %85 = stablehlo.subtract %arg4, %84 : tensor<8x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %87 = stablehlo.multiply %86, %61 : tensor<8x8xf32>
    %88 = stablehlo.subtract %arg5, %87 : tensor<8x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %90 = stablehlo.multiply %89, %52 : tensor<8x8xf32>
    %91 = stablehlo.subtract %arg6, %90 : tensor<8x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %93 = stablehlo.multiply %92, %43 : tensor<8x8xf32>
    %94 = stablehlo.subtract %arg7, %93 : tensor<8x8xf32>
    return %73, %76, %79, %82, %85, %88, %91, %94, %33 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
