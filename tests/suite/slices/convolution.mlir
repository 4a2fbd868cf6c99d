// test: slices count=4
// Neighbors are no keys.
module @jit_forward attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8x4xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<2x8xi32>) -> (tensor<2x8x8xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %1 = stablehlo.compare LT, %arg5, %0, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %3 = stablehlo.add %arg5, %2 : tensor<2x8xi32>
    %4 = stablehlo.select %1, %3, %arg5 : tensor<2x8xi1>, tensor<2x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %6 = "stablehlo.gather"(%arg3, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<2x8x1xi32>) -> tensor<2x8x8xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<8x4xf32>) -> tensor<2x8x4xf32>
    %8 = stablehlo.dot_general %6, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<8x4xf32>) -> tensor<2x8x4xf32>
    %9 = stablehlo.dot_general %6, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<8x4xf32>) -> tensor<2x8x4xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %10 = call @_pad(%9, %c_1) : (tensor<2x8x4xf32>, tensor<i32>) -> tensor<2x10x4xf32>
    %11 = stablehlo.slice %10 [0:2, 0:8, 0:4] : (tensor<2x10x4xf32>) -> tensor<2x8x4xf32>
    %12 = stablehlo.slice %10 [0:2, 1:9, 0:4] : (tensor<2x10x4xf32>) -> tensor<2x8x4xf32>
    %13 = stablehlo.add %11, %12 : tensor<2x8x4xf32>
    %14 = stablehlo.add %13, %9 : tensor<2x8x4xf32>
    %15 = stablehlo.dot_general %7, %8, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x8xf32>
    %16 = stablehlo.iota dim = 0 : tensor<8xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %18 = stablehlo.iota dim = 0 : tensor<8xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %20 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %22 = stablehlo.compare GE, %20, %21, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %23 = call @_where(%22, %15, %cst) : (tensor<8x8xi1>, tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x8x8xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<2x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x8xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<2x8x8xf32>
    %30 = stablehlo.exponential %29 : tensor<2x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x8xf32>
    %34 = stablehlo.divide %30, %33 : tensor<2x8x8xf32>
    %35 = stablehlo.dot_general %34, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %36 = stablehlo.dot_general %35, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    return %36 : tensor<2x8x8xf32>
  }
  func.func private @_pad(%arg0: tensor<2x8x4xf32>, %arg1: tensor<i32>) -> tensor<2x10x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 2, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x8x4xf32>, tensor<f32>) -> tensor<2x10x4xf32>
    return %1 : tensor<2x10x4xf32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x8x8xf32>, %arg2: tensor<f32>) -> tensor<2x8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x8x8xi1>, tensor<2x8x8xf32>
    return %3 : tensor<2x8x8xf32>
  }
}
// expect:
// line 53: tokens meet others here, in a way that no slice can by itself
