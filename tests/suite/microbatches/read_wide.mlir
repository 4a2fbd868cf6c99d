// test: microbatches count=2
// What converts a sum of narrow contributions takes it as it was added up, behind transposes and sums too; what reads it
// as it is takes it rounded.
func.func @main(%w: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<8x4xbf16>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xbf16>) {
  %nothing = stablehlo.constant dense<0.0> : tensor<bf16>
  %n = stablehlo.convert %w : (tensor<4x2xf32>) -> tensor<4x2xbf16>
  %p = stablehlo.dot_general %x, %n, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x2xbf16>) -> tensor<8x2xbf16>
  %z = stablehlo.tanh %p : tensor<8x2xbf16>
  %a = stablehlo.dot_general %z, %x, contracting_dims = [0] x [0] : (tensor<8x2xbf16>, tensor<8x4xbf16>) -> tensor<2x4xbf16>
  %b = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  %s = stablehlo.reduce(%z init: %nothing) applies stablehlo.add across dimensions = [0] : (tensor<8x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  %c = stablehlo.add %t, %b : tensor<4x2xbf16>
  %g = stablehlo.convert %c : (tensor<4x2xbf16>) -> tensor<4x2xf32>
  %h = stablehlo.convert %s : (tensor<2xbf16>) -> tensor<2xf32>
  %u = stablehlo.subtract %w, %g : tensor<4x2xf32>
  %r = stablehlo.subtract %v, %h : tensor<2xf32>
  return %u, %r, %s : tensor<4x2xf32>, tensor<2xf32>, tensor<2xbf16>
}
// expect:
// batch of 8, passes: 1
// pass 0: Partial(Sum)
// pass 0: Partial(Sum)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x4xbf16>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xbf16>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
//     %0 = stablehlo.convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2xbf16>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x4xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<4x2xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<2xf32>
//     %1:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %arg2, %iterArg_7 = %0) : tensor<i32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<8x4xbf16>, tensor<4x2xbf16>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %7 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %7 : tensor<i1>
//     } do {
//       %7 = stablehlo.reshape %iterArg_6 : (tensor<8x4xbf16>) -> tensor<4x2x4xbf16>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %8 = stablehlo.dynamic_slice %7, %c_8, %iterArg, %c_8, sizes = [4, 1, 4] : (tensor<4x2x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xbf16>
//       %9 = stablehlo.reshape %8 : (tensor<4x1x4xbf16>) -> tensor<4x4xbf16>
//       %10 = stablehlo.dot_general %9, %iterArg_7, contracting_dims = [1] x [0] : (tensor<4x4xbf16>, tensor<4x2xbf16>) -> tensor<4x2xbf16>
//       %11 = stablehlo.tanh %10 : tensor<4x2xbf16>
//       %12 = stablehlo.dot_general %11, %9, contracting_dims = [0] x [0] : (tensor<4x2xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
//       %13 = stablehlo.dot_general %9, %11, contracting_dims = [0] x [0] : (tensor<4x4xbf16>, tensor<4x2xbf16>) -> tensor<4x2xbf16>
//       %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
//       %14 = stablehlo.reduce(%11 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %15 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %16 = stablehlo.convert %12 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
//       %17 = stablehlo.add %iterArg_3, %16 : tensor<2x4xf32>
//       %18 = stablehlo.convert %13 : (tensor<4x2xbf16>) -> tensor<4x2xf32>
//       %19 = stablehlo.add %iterArg_4, %18 : tensor<4x2xf32>
//       %20 = stablehlo.convert %14 : (tensor<2xbf16>) -> tensor<2xf32>
//       %21 = stablehlo.add %iterArg_5, %20 : tensor<2xf32>
//       stablehlo.return %15, %17, %19, %21, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<8x4xbf16>, tensor<4x2xbf16>
//     }
//     %2 = stablehlo.convert %1#3 : (tensor<2xf32>) -> tensor<2xbf16>
//     %3 = stablehlo.transpose %1#1, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
//     %4 = stablehlo.add %3, %1#2 : tensor<4x2xf32>
//     %5 = stablehlo.subtract %arg0, %4 : tensor<4x2xf32>
//     %6 = stablehlo.subtract %arg1, %1#3 : tensor<2xf32>
//     return %5, %6, %2 : tensor<4x2xf32>, tensor<2xf32>, tensor<2xbf16>
//   }
// }
