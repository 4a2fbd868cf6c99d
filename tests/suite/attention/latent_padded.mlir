// test: attention kernel=npu-fusion
// The same for a kernel that takes as many features of both: values get zeros, and lose them again.
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x4x48xbf16>, %arg1: tensor<32x4x32xbf16>, %arg2: tensor<32x16xbf16>, %arg3: tensor<32x4x16xbf16>, %arg4: tensor<4x16x32xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<32x4x48xbf16> {jax.result_info = "result[0]"}, tensor<32x4x32xbf16> {jax.result_info = "result[1]"}, tensor<32x16xbf16> {jax.result_info = "result[2]"}, tensor<32x4x16xbf16> {jax.result_info = "result[3]"}, tensor<4x16x32xbf16> {jax.result_info = "result[4]"}, tensor<2x16x32xbf16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x48xbf16>) -> tensor<2x16x4x48xbf16>
    %1 = stablehlo.dot_general %arg5, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x32xbf16>) -> tensor<2x16x4x32xbf16>
    %2 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 3] : (tensor<2x16x16xbf16>) -> tensor<2x16x1x16xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x16x1x16xbf16>) -> tensor<2x16x4x16xbf16>
    %5 = stablehlo.concatenate %1, %4, dim = 3 : (tensor<2x16x4x32xbf16>, tensor<2x16x4x16xbf16>) -> tensor<2x16x4x48xbf16>
    %6 = stablehlo.dot_general %arg5, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x4x16xbf16>) -> tensor<2x16x4x16xbf16>
    %7 = stablehlo.dot_general %0, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<1.445310e-01> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x16x16xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %12 = call @tril(%11) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %13:2 = call @_where(%12, %10, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %19 = stablehlo.subtract %13#0, %18 : tensor<2x4x16x16xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x16x16xf32>
    %25 = stablehlo.multiply %22, %22 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<2x4x16x1xf32>
    %28 = stablehlo.convert %24 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %29 = stablehlo.dot_general %6, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<2x4x16x16xbf16>) -> tensor<2x16x4x16xbf16>
    %31 = stablehlo.dot_general %30, %arg4, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<4x16x32xbf16>) -> tensor<2x16x32xbf16>
    %32 = stablehlo.convert %31 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<2x16x32xf32>
    %37 = stablehlo.convert %36 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %38 = stablehlo.dot_general %37, %30, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x4x16xbf16>) -> tensor<32x4x16xbf16>
    %39 = stablehlo.transpose %38, dims = [1, 2, 0] : (tensor<32x4x16xbf16>) -> tensor<4x16x32xbf16>
    %40 = stablehlo.dot_general %37, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<4x16x32xbf16>) -> tensor<2x16x4x16xbf16>
    %41 = stablehlo.transpose %40, dims = [0, 2, 3, 1] : (tensor<2x16x4x16xbf16>) -> tensor<2x4x16x16xbf16>
    %42 = stablehlo.dot_general %41, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x16xbf16>) -> tensor<2x4x16x16xbf16>
    %43 = stablehlo.dot_general %41, %28, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %44 = stablehlo.transpose %43, dims = [0, 3, 1, 2] : (tensor<2x4x16x16xbf16>) -> tensor<2x16x4x16xbf16>
    %45 = stablehlo.convert %42 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %46 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %47 = stablehlo.multiply %45, %46 : tensor<2x4x16x16xf32>
    %48 = stablehlo.multiply %47, %20 : tensor<2x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %50 = stablehlo.reshape %49 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %51 = stablehlo.negate %50 : tensor<2x4x16x1xf32>
    %52 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %53 = stablehlo.divide %45, %52 : tensor<2x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%51 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %56 = stablehlo.add %53, %55 : tensor<2x4x16x16xf32>
    %57 = stablehlo.multiply %56, %20 : tensor<2x4x16x16xf32>
    %58 = call @_where_0(%13#1, %57) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %59 = stablehlo.convert %58 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_9 = stablehlo.constant dense<1.445310e-01> : tensor<bf16>
    %60 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %61 = stablehlo.multiply %59, %60 : tensor<2x4x16x16xbf16>
    %62 = stablehlo.dot_general %61, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x48xbf16>
    %63 = stablehlo.transpose %62, dims = [0, 2, 1, 3] : (tensor<2x4x16x48xbf16>) -> tensor<2x16x4x48xbf16>
    %64 = stablehlo.dot_general %61, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x48xbf16>) -> tensor<2x4x16x48xbf16>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<2x4x16x48xbf16>) -> tensor<2x16x4x48xbf16>
    %66 = stablehlo.dot_general %44, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<2x16x32xbf16>) -> tensor<4x16x32xbf16>
    %67 = stablehlo.transpose %66, dims = [2, 0, 1] : (tensor<4x16x32xbf16>) -> tensor<32x4x16xbf16>
    %68 = stablehlo.dot_general %44, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x16xbf16>, tensor<32x4x16xbf16>) -> tensor<2x16x32xbf16>
    %69 = stablehlo.slice %63 [0:2, 0:16, 0:4, 0:32] : (tensor<2x16x4x48xbf16>) -> tensor<2x16x4x32xbf16>
    %70 = stablehlo.slice %63 [0:2, 0:16, 0:4, 32:48] : (tensor<2x16x4x48xbf16>) -> tensor<2x16x4x16xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %71 = stablehlo.reduce(%70 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x16x4x16xbf16>, tensor<bf16>) -> tensor<2x16x16xbf16>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 3] : (tensor<2x16x16xbf16>) -> tensor<2x16x1x16xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %73 = stablehlo.reduce(%72 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x16x1x16xbf16>, tensor<bf16>) -> tensor<2x16x16xbf16>
    %74 = stablehlo.dot_general %73, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %76 = stablehlo.dot_general %73, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %77 = stablehlo.add %68, %76 : tensor<2x16x32xbf16>
    %78 = stablehlo.dot_general %69, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x32xbf16>, tensor<2x16x32xbf16>) -> tensor<4x32x32xbf16>
    %79 = stablehlo.transpose %78, dims = [2, 0, 1] : (tensor<4x32x32xbf16>) -> tensor<32x4x32xbf16>
    %80 = stablehlo.dot_general %69, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x32xbf16>, tensor<32x4x32xbf16>) -> tensor<2x16x32xbf16>
    %81 = stablehlo.add %77, %80 : tensor<2x16x32xbf16>
    %82 = stablehlo.dot_general %65, %arg5, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<2x16x32xbf16>) -> tensor<4x48x32xbf16>
    %83 = stablehlo.transpose %82, dims = [2, 0, 1] : (tensor<4x48x32xbf16>) -> tensor<32x4x48xbf16>
    %84 = stablehlo.dot_general %65, %arg0, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x48xbf16>, tensor<32x4x48xbf16>) -> tensor<2x16x32xbf16>
    %85 = stablehlo.add %81, %84 : tensor<2x16x32xbf16>
    return %83, %79, %75, %67, %39, %85 : tensor<32x4x48xbf16>, tensor<32x4x32xbf16>, tensor<32x16xbf16>, tensor<32x4x16xbf16>, tensor<4x16x32xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %3, %1 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 30: with its gradient
// __npu$fmhaSoftmax(tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>) scale 0.14453125 CAUSAL window 0 scores 2x4x16x16
// __npu$fmhaSoftmaxBackward(tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x48xbf16>, tensor<2x16x4x48xbf16>) scale 0.14453125 CAUSAL window 0 scores 2x4x16x16
