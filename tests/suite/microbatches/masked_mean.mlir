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
// batch of 4, passes: 1
// pass 0: Partial(Sum)
// pass 0: Cut(0)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>, %arg2: tensor<8xf32>) -> (tensor<4xf32>, tensor<f32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<4xf32>
//     %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
//     %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
//     %2 = stablehlo.divide %arg2, %1 : tensor<8xf32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<1x4xf32>
//     %3:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_1, %iterArg_4 = %cst_2, %iterArg_5 = %arg1, %iterArg_6 = %arg0, %iterArg_7 = %2) : tensor<i32>, tensor<8xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<4> : tensor<i32>
//       %8 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %8 : tensor<i1>
//     } do {
//       %8 = stablehlo.reshape %iterArg_5 : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %9 = stablehlo.dynamic_slice %8, %c_8, %c_8, %iterArg, sizes = [8, 1, 1] : (tensor<8x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x1xf32>
//       %10 = stablehlo.reshape %9 : (tensor<8x1x1xf32>) -> tensor<8x1xf32>
//       %11 = stablehlo.reshape %iterArg_6 : (tensor<4xf32>) -> tensor<1x4xf32>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %12 = stablehlo.dynamic_slice %11, %c_9, %iterArg, sizes = [1, 1] : (tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
//       %13 = stablehlo.reshape %12 : (tensor<1x1xf32>) -> tensor<1xf32>
//       %14 = stablehlo.dot_general %10, %13, contracting_dims = [1] x [0] : (tensor<8x1xf32>, tensor<1xf32>) -> tensor<8xf32>
//       %15 = stablehlo.dot_general %10, %iterArg_7, contracting_dims = [0] x [0] : (tensor<8x1xf32>, tensor<8xf32>) -> tensor<1xf32>
//       %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<1xf32>
//       %16 = stablehlo.multiply %15, %cst_10 : tensor<1xf32>
//       %17 = stablehlo.subtract %13, %16 : tensor<1xf32>
//       %c_11 = stablehlo.constant dense<1> : tensor<i32>
//       %18 = stablehlo.add %iterArg, %c_11 : tensor<i32>
//       %19 = stablehlo.add %iterArg_3, %14 : tensor<8xf32>
//       %20 = stablehlo.reshape %17 : (tensor<1xf32>) -> tensor<1x1xf32>
//       %c_12 = stablehlo.constant dense<0> : tensor<i32>
//       %21 = stablehlo.dynamic_update_slice %iterArg_4, %20, %c_12, %iterArg : (tensor<1x4xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       stablehlo.return %18, %19, %21, %iterArg_5, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<8xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>
//     }
//     %4 = stablehlo.reshape %3#2 : (tensor<1x4xf32>) -> tensor<4xf32>
//     %5 = stablehlo.multiply %3#1, %arg2 : tensor<8xf32>
//     %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
//     %7 = stablehlo.divide %6, %0 : tensor<f32>
//     return %4, %7 : tensor<4xf32>, tensor<f32>
//   }
// }
