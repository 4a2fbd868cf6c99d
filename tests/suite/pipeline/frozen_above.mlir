// test: pipeline stages=2 microbatches=4
// Only what stands in front of frozen layers is trained, so that there is one gradient, made behind all of them.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.tanh %1 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<8x8xf32>
    %5 = stablehlo.add %0, %2 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %7 = stablehlo.tanh %6 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x8xf32>
    %10 = stablehlo.add %5, %7 : tensor<8x8xf32>
    %11 = stablehlo.dot_general %10, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %12 = stablehlo.tanh %11 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<8x8xf32>
    %15 = stablehlo.add %10, %12 : tensor<8x8xf32>
    %16 = stablehlo.dot_general %15, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.tanh %16 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %19 = stablehlo.subtract %18, %17 : tensor<8x8xf32>
    %20 = stablehlo.add %15, %17 : tensor<8x8xf32>
    %21 = stablehlo.subtract %20, %arg6 : tensor<8x8xf32>
    %22 = stablehlo.multiply %21, %21 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %24 = stablehlo.multiply %23, %21 : tensor<8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %27 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %29 = stablehlo.multiply %28, %24 : tensor<8x8xf32>
    %30 = stablehlo.multiply %29, %19 : tensor<8x8xf32>
    %31 = stablehlo.multiply %30, %17 : tensor<8x8xf32>
    %32 = stablehlo.add %30, %31 : tensor<8x8xf32>
    %33 = stablehlo.dot_general %32, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %34 = stablehlo.add %29, %33 : tensor<8x8xf32>
    %35 = stablehlo.multiply %34, %14 : tensor<8x8xf32>
    %36 = stablehlo.multiply %35, %12 : tensor<8x8xf32>
    %37 = stablehlo.add %35, %36 : tensor<8x8xf32>
    %38 = stablehlo.dot_general %37, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %39 = stablehlo.add %34, %38 : tensor<8x8xf32>
    %40 = stablehlo.multiply %39, %9 : tensor<8x8xf32>
    %41 = stablehlo.multiply %40, %7 : tensor<8x8xf32>
    %42 = stablehlo.add %40, %41 : tensor<8x8xf32>
    %43 = stablehlo.dot_general %42, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %44 = stablehlo.add %39, %43 : tensor<8x8xf32>
    %45 = stablehlo.multiply %44, %4 : tensor<8x8xf32>
    %46 = stablehlo.multiply %45, %2 : tensor<8x8xf32>
    %47 = stablehlo.add %45, %46 : tensor<8x8xf32>
    %48 = stablehlo.dot_general %47, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %49 = stablehlo.add %44, %48 : tensor<8x8xf32>
    %50 = stablehlo.dot_general %49, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<8x8xf32>
    %54 = stablehlo.subtract %arg0, %53 : tensor<8x8xf32>
    return %54, %26 : tensor<8x8xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
