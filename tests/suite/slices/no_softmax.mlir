// test: slices count=4
// Scores of later keys are multiplied by zero.
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
    %10 = stablehlo.iota dim = 0 : tensor<8xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %12 = stablehlo.iota dim = 0 : tensor<8xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %14 = stablehlo.dot_general %7, %8, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x8xf32>
    %15 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %16 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %17 = stablehlo.compare GE, %15, %16, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %18 = stablehlo.convert %17 : (tensor<8x8xi1>) -> tensor<8x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x8x8xf32>) -> tensor<2x8x8xf32>
    %21 = stablehlo.multiply %14, %20 : tensor<2x8x8xf32>
    %22 = stablehlo.dot_general %21, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %23 = stablehlo.dot_general %22, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    return %23 : tensor<2x8x8xf32>
  }
}
// expect:
// 4 slices of 2
// line 15: later slices read stablehlo.dot_general along dim 1
// line 16: later slices read stablehlo.dot_general along dim 1
