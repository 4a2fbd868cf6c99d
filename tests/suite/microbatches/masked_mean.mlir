// test: microbatches count=4
// The sum of the mask is read by every example: a pass of its own, which computes nothing but that sum, comes first.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %m: tensor<8xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<4xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %n = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.multiply %y, %m : tensor<8xf32>
  %sum = stablehlo.reduce(%l init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %c = stablehlo.divide %m, %all : tensor<8xf32>
  %g = stablehlo.dot_general %x, %c, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %d = stablehlo.multiply %g, %rate : tensor<4xf32>
  %u = stablehlo.subtract %w, %d : tensor<4xf32>
  return %u, %loss : tensor<4xf32>, tensor<f32>
}
// expect:
// batch of 8, passes: 2
// pass 0: Partial(Sum)
// pass 1: Partial(Sum)
// pass 1: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>, %arg2: tensor<8xf32>) -> (tensor<4xf32>, tensor<f32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_5 = %cst_0, %iterArg_6 = %arg2) : tensor<i32>, tensor<f32>, tensor<8xf32>
//     cond {
//       %c_7 = stablehlo.constant dense<4> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %6 = stablehlo.reshape %iterArg_6 : (tensor<8xf32>) -> tensor<2x4xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %7 = stablehlo.dynamic_slice %6, %c_7, %iterArg, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
//       %8 = stablehlo.reshape %7 : (tensor<2x1xf32>) -> tensor<2xf32>
//       %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %9 = stablehlo.reduce(%8 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
//       %c_9 = stablehlo.constant dense<1> : tensor<i32>
//       %10 = stablehlo.add %iterArg, %c_9 : tensor<i32>
//       %11 = stablehlo.add %iterArg_5, %9 : tensor<f32>
//       stablehlo.return %10, %11, %iterArg_6 : tensor<i32>, tensor<f32>, tensor<8xf32>
//     }
//     %1 = stablehlo.broadcast_in_dim %0#1, dims = [] : (tensor<f32>) -> tensor<8xf32>
//     %c_1 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %2:7 = stablehlo.while(%iterArg = %c_1, %iterArg_5 = %cst_2, %iterArg_6 = %cst_3, %iterArg_7 = %arg1, %iterArg_8 = %arg0, %iterArg_9 = %arg2, %iterArg_10 = %0#1) : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>
//     cond {
//       %c_11 = stablehlo.constant dense<4> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_11 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %6 = stablehlo.reshape %iterArg_7 : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %7 = stablehlo.dynamic_slice %6, %c_11, %iterArg, %c_11, sizes = [2, 1, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4xf32>
//       %8 = stablehlo.reshape %7 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
//       %9 = stablehlo.dot_general %8, %iterArg_8, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
//       %10 = stablehlo.reshape %iterArg_9 : (tensor<8xf32>) -> tensor<2x4xf32>
//       %c_12 = stablehlo.constant dense<0> : tensor<i32>
//       %11 = stablehlo.dynamic_slice %10, %c_12, %iterArg, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
//       %12 = stablehlo.reshape %11 : (tensor<2x1xf32>) -> tensor<2xf32>
//       %13 = stablehlo.multiply %9, %12 : tensor<2xf32>
//       %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %14 = stablehlo.reduce(%13 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
//       %15 = stablehlo.broadcast_in_dim %iterArg_10, dims = [] : (tensor<f32>) -> tensor<2xf32>
//       %16 = stablehlo.divide %12, %15 : tensor<2xf32>
//       %17 = stablehlo.dot_general %8, %16, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<4xf32>
//       %c_14 = stablehlo.constant dense<1> : tensor<i32>
//       %18 = stablehlo.add %iterArg, %c_14 : tensor<i32>
//       %19 = stablehlo.add %iterArg_5, %14 : tensor<f32>
//       %20 = stablehlo.add %iterArg_6, %17 : tensor<4xf32>
//       stablehlo.return %18, %19, %20, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10 : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>
//     }
//     %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<4xf32>
//     %3 = stablehlo.divide %2#1, %0#1 : tensor<f32>
//     %4 = stablehlo.multiply %2#2, %cst_4 : tensor<4xf32>
//     %5 = stablehlo.subtract %arg0, %4 : tensor<4xf32>
//     return %5, %3 : tensor<4xf32>, tensor<f32>
//   }
// }
