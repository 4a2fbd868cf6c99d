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
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_4 = %cst, %iterArg_5 = %arg2) : tensor<i32>, tensor<f32>, tensor<8xf32>
//     cond {
//       %c_6 = stablehlo.constant dense<4> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.reshape %iterArg_5 : (tensor<8xf32>) -> tensor<2x4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %5, %c_6, %iterArg, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
//       %7 = stablehlo.reshape %6 : (tensor<2x1xf32>) -> tensor<2xf32>
//       %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %8 = stablehlo.reduce(%7 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
//       %c_8 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.add %iterArg, %c_8 : tensor<i32>
//       %10 = stablehlo.add %iterArg_4, %8 : tensor<f32>
//       stablehlo.return %9, %10, %iterArg_5 : tensor<i32>, tensor<f32>, tensor<8xf32>
//     }
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %1:7 = stablehlo.while(%iterArg = %c_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %arg1, %iterArg_7 = %arg0, %iterArg_8 = %arg2, %iterArg_9 = %0#1) : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>
//     cond {
//       %c_10 = stablehlo.constant dense<4> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_10 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.reshape %iterArg_6 : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %5, %c_10, %iterArg, %c_10, sizes = [2, 1, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
//       %8 = stablehlo.dot_general %7, %iterArg_7, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
//       %9 = stablehlo.reshape %iterArg_8 : (tensor<8xf32>) -> tensor<2x4xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %10 = stablehlo.dynamic_slice %9, %c_11, %iterArg, sizes = [2, 1] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
//       %11 = stablehlo.reshape %10 : (tensor<2x1xf32>) -> tensor<2xf32>
//       %12 = stablehlo.multiply %8, %11 : tensor<2xf32>
//       %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %13 = stablehlo.reduce(%12 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
//       %14 = stablehlo.broadcast_in_dim %iterArg_9, dims = [] : (tensor<f32>) -> tensor<2xf32>
//       %15 = stablehlo.divide %11, %14 : tensor<2xf32>
//       %16 = stablehlo.dot_general %7, %15, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<4xf32>
//       %c_13 = stablehlo.constant dense<1> : tensor<i32>
//       %17 = stablehlo.add %iterArg, %c_13 : tensor<i32>
//       %18 = stablehlo.add %iterArg_4, %13 : tensor<f32>
//       %19 = stablehlo.add %iterArg_5, %16 : tensor<4xf32>
//       stablehlo.return %17, %18, %19, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9 : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>
//     }
//     %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<4xf32>
//     %2 = stablehlo.divide %1#1, %0#1 : tensor<f32>
//     %3 = stablehlo.multiply %1#2, %cst_3 : tensor<4xf32>
//     %4 = stablehlo.subtract %arg0, %3 : tensor<4xf32>
//     return %4, %2 : tensor<4xf32>, tensor<f32>
//   }
// }
