// test: tiles count=4
// A loss along the tokens, which something else mixes: between logits and their gradient are no other products, so that both are in one loop and nothing
// is made twice.
func.func @main(%w: tensor<4x64xf32> {tf.aliasing_output = 1 : i32}, %m: tensor<16x16xf32> {tf.aliasing_output = 3 : i32}, %d: tensor<2x16x4xf32>) -> (tensor<f32>, tensor<4x64xf32>, tensor<2x16x4xf32>, tensor<16x16xf32>) {
  %x = stablehlo.dot_general %d, %m, contracting_dims = [1] x [0] : (tensor<2x16x4xf32>, tensor<16x16xf32>) -> tensor<2x4x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4x16xf32>, tensor<4x64xf32>) -> tensor<2x16x64xf32>
  %e = stablehlo.exponential %l : tensor<2x16x64xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x16x64xf32>, tensor<f32>) -> tensor<2x16xf32>
  %g = stablehlo.log %n : tensor<2x16xf32>
  %loss = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x64xf32>
  %dl = stablehlo.divide %e, %nb : tensor<2x16x64xf32>
  %dw = stablehlo.dot_general %x, %dl, contracting_dims = [0, 2] x [0, 1] : (tensor<2x4x16xf32>, tensor<2x16x64xf32>) -> tensor<4x64xf32>
  %u = stablehlo.subtract %w, %dw : tensor<4x64xf32>
  %dx = stablehlo.dot_general %dl, %w, contracting_dims = [2] x [1] : (tensor<2x16x64xf32>, tensor<4x64xf32>) -> tensor<2x16x4xf32>
  %dm = stablehlo.dot_general %d, %dx, contracting_dims = [0, 2] x [0, 2] : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<16x16xf32>
  %um = stablehlo.subtract %m, %dm : tensor<16x16xf32>
  return %loss, %u, %dx, %um : tensor<f32>, tensor<4x64xf32>, tensor<2x16x4xf32>, tensor<16x16xf32>
}
// expect:
// tensor<2x16x64xf32> along dim 1 of 16, ratio 8: reads 2, makes stablehlo.reduce, stablehlo.dot_general, stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<4x64xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<16x16xf32> {tf.aliasing_output = 3 : i32}, %arg2: tensor<2x16x4xf32>) -> (tensor<f32>, tensor<4x64xf32>, tensor<2x16x4xf32>, tensor<16x16xf32>) {
//     %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0] : (tensor<2x16x4xf32>, tensor<16x16xf32>) -> tensor<2x4x16xf32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4x4xf32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x64xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<2x4x4x4xf32>
//     %1:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst, %iterArg_4 = %cst_0, %iterArg_5 = %cst_1, %iterArg_6 = %0, %iterArg_7 = %arg0) : tensor<i32>, tensor<2x4x4xf32>, tensor<4x64xf32>, tensor<2x4x4x4xf32>, tensor<2x4x16xf32>, tensor<4x64xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<4> : tensor<i32>
//       %9 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %9 : tensor<i1>
//     } do {
//       %9 = stablehlo.reshape %iterArg_6 : (tensor<2x4x16xf32>) -> tensor<2x4x4x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %10 = stablehlo.dynamic_slice %9, %c_8, %c_8, %c_8, %iterArg, sizes = [2, 4, 4, 1] : (tensor<2x4x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x4x1xf32>
//       %11 = stablehlo.reshape %10 : (tensor<2x4x4x1xf32>) -> tensor<2x4x4xf32>
//       %12 = stablehlo.dot_general %11, %iterArg_7, contracting_dims = [1] x [0] : (tensor<2x4x4xf32>, tensor<4x64xf32>) -> tensor<2x4x64xf32>
//       %13 = stablehlo.exponential %12 : tensor<2x4x64xf32>
//       %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %14 = stablehlo.reduce(%13 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x4x64xf32>, tensor<f32>) -> tensor<2x4xf32>
//       %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x64xf32>
//       %16 = stablehlo.divide %13, %15 : tensor<2x4x64xf32>
//       %17 = stablehlo.dot_general %11, %16, contracting_dims = [0, 2] x [0, 1] : (tensor<2x4x4xf32>, tensor<2x4x64xf32>) -> tensor<4x64xf32>
//       %18 = stablehlo.dot_general %16, %iterArg_7, contracting_dims = [2] x [1] : (tensor<2x4x64xf32>, tensor<4x64xf32>) -> tensor<2x4x4xf32>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %19 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %20 = stablehlo.reshape %14 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %21 = stablehlo.dynamic_update_slice %iterArg_3, %20, %c_11, %c_11, %iterArg : (tensor<2x4x4xf32>, tensor<2x4x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x4xf32>
//       %22 = stablehlo.add %iterArg_4, %17 : tensor<4x64xf32>
//       %23 = stablehlo.reshape %18 : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
//       %c_12 = stablehlo.constant dense<0> : tensor<i32>
//       %24 = stablehlo.dynamic_update_slice %iterArg_5, %23, %c_12, %c_12, %iterArg, %c_12 : (tensor<2x4x4x4xf32>, tensor<2x4x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x4x4xf32>
//       stablehlo.return %19, %21, %22, %24, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<2x4x4xf32>, tensor<4x64xf32>, tensor<2x4x4x4xf32>, tensor<2x4x16xf32>, tensor<4x64xf32>
//     }
//     %2 = stablehlo.reshape %1#1 : (tensor<2x4x4xf32>) -> tensor<2x16xf32>
//     %3 = stablehlo.reshape %1#3 : (tensor<2x4x4x4xf32>) -> tensor<2x16x4xf32>
//     %4 = stablehlo.log %2 : tensor<2x16xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %5 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
//     %6 = stablehlo.subtract %arg0, %1#2 : tensor<4x64xf32>
//     %7 = stablehlo.dot_general %arg2, %3, contracting_dims = [0, 2] x [0, 2] : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<16x16xf32>
//     %8 = stablehlo.subtract %arg1, %7 : tensor<16x16xf32>
//     return %5, %6, %3, %8 : tensor<f32>, tensor<4x64xf32>, tensor<2x16x4xf32>, tensor<16x16xf32>
//   }
// }
// 0 results differ
