// test: tiles count=4 possible
// Who asks for tiles gets them where they win little: most of the memory is taken by a value without such a dim.
func.func @main(%w: tensor<2x16xf32> {tf.aliasing_output = 1 : i32}, %v: tensor<16x2xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<2x8x2xf32>, %q: tensor<64x2xf32>) -> (tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %q, contracting_dims = [1] x [1] : (tensor<64x2xf32>, tensor<64x2xf32>) -> tensor<64x64xf32>
  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = stablehlo.multiply %s, %t : tensor<64x64xf32>
  %p = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x8x2xf32>, tensor<2x16xf32>) -> tensor<2x8x16xf32>
  %a = stablehlo.tanh %h : tensor<2x8x16xf32>
  %y = stablehlo.dot_general %a, %v, contracting_dims = [2] x [0] : (tensor<2x8x16xf32>, tensor<16x2xf32>) -> tensor<2x8x2xf32>
  %l = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x2xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %l, %p : tensor<f32>
  %dv = stablehlo.dot_general %a, %y, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x16xf32>, tensor<2x8x2xf32>) -> tensor<16x2xf32>
  %da = stablehlo.dot_general %y, %v, contracting_dims = [2] x [1] : (tensor<2x8x2xf32>, tensor<16x2xf32>) -> tensor<2x8x16xf32>
  %dh = stablehlo.multiply %da, %a : tensor<2x8x16xf32>
  %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x2xf32>, tensor<2x8x16xf32>) -> tensor<2x16xf32>
  %nw = stablehlo.subtract %w, %dw : tensor<2x16xf32>
  %nv = stablehlo.subtract %v, %dv : tensor<16x2xf32>
  return %loss, %nw, %nv : tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>
}
// expect:
// tensor<2x8x16xf32> along dim 1 of 8, ratio 8: reads 3, makes stablehlo.dot_general, stablehlo.dot_general, stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<2x16xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<16x2xf32> {tf.aliasing_output = 2 : i32}, %arg2: tensor<2x8x2xf32>, %arg3: tensor<64x2xf32>) -> (tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.dot_general %arg3, %arg3, contracting_dims = [1] x [1] : (tensor<64x2xf32>, tensor<64x2xf32>) -> tensor<64x64xf32>
//     %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
//     %2 = stablehlo.multiply %0, %1 : tensor<64x64xf32>
//     %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x2x4x2xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<16x2xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<2x16xf32>
//     %4:7 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %arg2, %iterArg_7 = %arg0, %iterArg_8 = %arg1) : tensor<i32>, tensor<2x2x4x2xf32>, tensor<16x2xf32>, tensor<2x16xf32>, tensor<2x8x2xf32>, tensor<2x16xf32>, tensor<16x2xf32>
//     cond {
//       %c_9 = stablehlo.constant dense<4> : tensor<i32>
//       %10 = stablehlo.compare LT, %iterArg, %c_9 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %10 : tensor<i1>
//     } do {
//       %10 = stablehlo.reshape %iterArg_6 : (tensor<2x8x2xf32>) -> tensor<2x2x4x2xf32>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %11 = stablehlo.dynamic_slice %10, %c_9, %c_9, %iterArg, %c_9, sizes = [2, 2, 1, 2] : (tensor<2x2x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x1x2xf32>
//       %12 = stablehlo.reshape %11 : (tensor<2x2x1x2xf32>) -> tensor<2x2x2xf32>
//       %13 = stablehlo.dot_general %12, %iterArg_7, contracting_dims = [2] x [0] : (tensor<2x2x2xf32>, tensor<2x16xf32>) -> tensor<2x2x16xf32>
//       %14 = stablehlo.tanh %13 : tensor<2x2x16xf32>
//       %15 = stablehlo.dot_general %14, %iterArg_8, contracting_dims = [2] x [0] : (tensor<2x2x16xf32>, tensor<16x2xf32>) -> tensor<2x2x2xf32>
//       %16 = stablehlo.dot_general %14, %15, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2x16xf32>, tensor<2x2x2xf32>) -> tensor<16x2xf32>
//       %17 = stablehlo.dot_general %15, %iterArg_8, contracting_dims = [2] x [1] : (tensor<2x2x2xf32>, tensor<16x2xf32>) -> tensor<2x2x16xf32>
//       %18 = stablehlo.multiply %17, %14 : tensor<2x2x16xf32>
//       %19 = stablehlo.dot_general %12, %18, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2x2xf32>, tensor<2x2x16xf32>) -> tensor<2x16xf32>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %20 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %21 = stablehlo.reshape %15 : (tensor<2x2x2xf32>) -> tensor<2x2x1x2xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %22 = stablehlo.dynamic_update_slice %iterArg_3, %21, %c_11, %c_11, %iterArg, %c_11 : (tensor<2x2x4x2xf32>, tensor<2x2x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x2xf32>
//       %23 = stablehlo.add %iterArg_4, %16 : tensor<16x2xf32>
//       %24 = stablehlo.add %iterArg_5, %19 : tensor<2x16xf32>
//       stablehlo.return %20, %22, %23, %24, %iterArg_6, %iterArg_7, %iterArg_8 : tensor<i32>, tensor<2x2x4x2xf32>, tensor<16x2xf32>, tensor<2x16xf32>, tensor<2x8x2xf32>, tensor<2x16xf32>, tensor<16x2xf32>
//     }
//     %5 = stablehlo.reshape %4#1 : (tensor<2x2x4x2xf32>) -> tensor<2x8x2xf32>
//     %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x2xf32>, tensor<f32>) -> tensor<f32>
//     %7 = stablehlo.add %6, %3 : tensor<f32>
//     %8 = stablehlo.subtract %arg0, %4#3 : tensor<2x16xf32>
//     %9 = stablehlo.subtract %arg1, %4#2 : tensor<16x2xf32>
//     return %7, %8, %9 : tensor<f32>, tensor<2x16xf32>, tensor<16x2xf32>
//   }
// }
// 0 results differ
