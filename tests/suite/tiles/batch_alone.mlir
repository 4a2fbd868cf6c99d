// test: tiles count=2
// A table of numbers that is normalized for each example, without a gradient: nothing but the batch can be cut.
func.func @main(%x: tensor<16x2xf32>, %w: tensor<2x64xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x2xf32>, tensor<2x64xf32>) -> tensor<16x64xf32>
  %n = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %d = stablehlo.subtract %s, %nb : tensor<16x64xf32>
  %e = stablehlo.multiply %d, %d : tensor<16x64xf32>
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
// expect:
// tensor<16x64xf32> along dim 0 of 16, ratio 32: reads 2, makes stablehlo.reduce
// module {
//   func.func @main(%arg0: tensor<16x2xf32>, %arg1: tensor<2x64xf32>) -> tensor<16xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x2xf32>
//     %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %cst, %iterArg_1 = %arg0, %iterArg_2 = %arg1) : tensor<i32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<2x64xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<2> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_1 : (tensor<16x2xf32>) -> tensor<8x2x2xf32>
//       %c_3 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_3, %iterArg, %c_3, sizes = [8, 1, 2] : (tensor<8x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x2xf32>
//       %4 = stablehlo.reshape %3 : (tensor<8x1x2xf32>) -> tensor<8x2xf32>
//       %5 = stablehlo.dot_general %4, %iterArg_2, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x64xf32>) -> tensor<8x64xf32>
//       %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %6 = stablehlo.reduce(%5 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
//       %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
//       %8 = stablehlo.subtract %5, %7 : tensor<8x64xf32>
//       %9 = stablehlo.multiply %8, %8 : tensor<8x64xf32>
//       %10 = stablehlo.reduce(%9 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
//       %c_5 = stablehlo.constant dense<1> : tensor<i32>
//       %11 = stablehlo.add %iterArg, %c_5 : tensor<i32>
//       %12 = stablehlo.reshape %10 : (tensor<8xf32>) -> tensor<8x1xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %13 = stablehlo.dynamic_update_slice %iterArg_0, %12, %c_6, %iterArg : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
//       stablehlo.return %11, %13, %iterArg_1, %iterArg_2 : tensor<i32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<2x64xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<8x2xf32>) -> tensor<16xf32>
//     return %1 : tensor<16xf32>
//   }
// }
// 0 results differ
