// test: tiles count=2
// The hidden values of two layers with a product between them, forward and backward: what the backward pass reads of the
// forward pass and is large is made in both loops; weights' gradients add up in f32.
func.func @main(%a: tensor<4x32xbf16>, %b: tensor<32x4xbf16>, %c: tensor<4x4xbf16>, %x: tensor<64x4xbf16>) -> (tensor<4x32xbf16>, tensor<32x4xbf16>, tensor<64x4xbf16>) {
  %h = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x4xbf16>, tensor<4x32xbf16>) -> tensor<64x32xbf16>
  %t = stablehlo.tanh %h : tensor<64x32xbf16>
  %y = stablehlo.dot_general %t, %b, contracting_dims = [1] x [0] : (tensor<64x32xbf16>, tensor<32x4xbf16>) -> tensor<64x4xbf16>
  %z = stablehlo.dot_general %y, %c, contracting_dims = [1] x [0] : (tensor<64x4xbf16>, tensor<4x4xbf16>) -> tensor<64x4xbf16>
  %dy = stablehlo.dot_general %z, %c, contracting_dims = [1] x [1] : (tensor<64x4xbf16>, tensor<4x4xbf16>) -> tensor<64x4xbf16>
  %dt = stablehlo.dot_general %dy, %b, contracting_dims = [1] x [1] : (tensor<64x4xbf16>, tensor<32x4xbf16>) -> tensor<64x32xbf16>
  %db = stablehlo.dot_general %t, %dy, contracting_dims = [0] x [0] : (tensor<64x32xbf16>, tensor<64x4xbf16>) -> tensor<32x4xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<64x32xbf16>
  %tt = stablehlo.multiply %t, %t : tensor<64x32xbf16>
  %u = stablehlo.subtract %one, %tt : tensor<64x32xbf16>
  %dh = stablehlo.multiply %dt, %u : tensor<64x32xbf16>
  %da = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<64x4xbf16>, tensor<64x32xbf16>) -> tensor<4x32xbf16>
  %dx = stablehlo.dot_general %dh, %a, contracting_dims = [1] x [1] : (tensor<64x32xbf16>, tensor<4x32xbf16>) -> tensor<64x4xbf16>
  return %da, %db, %dx : tensor<4x32xbf16>, tensor<32x4xbf16>, tensor<64x4xbf16>
}
// expect:
// tensor<64x32xbf16> along dim 0 of 64, ratio 8: reads 3, makes stablehlo.dot_general
// tensor<64x32xbf16> along dim 0 of 64, ratio 8: reads 4, makes stablehlo.dot_general, stablehlo.dot_general, stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<4x32xbf16>, %arg1: tensor<32x4xbf16>, %arg2: tensor<4x4xbf16>, %arg3: tensor<64x4xbf16>) -> (tensor<4x32xbf16>, tensor<32x4xbf16>, tensor<64x4xbf16>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<32x2x4xbf16>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_4 = %cst, %iterArg_5 = %arg3, %iterArg_6 = %arg0, %iterArg_7 = %arg1) : tensor<i32>, tensor<32x2x4xbf16>, tensor<64x4xbf16>, tensor<4x32xbf16>, tensor<32x4xbf16>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %8 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %8 : tensor<i1>
//     } do {
//       %8 = stablehlo.reshape %iterArg_5 : (tensor<64x4xbf16>) -> tensor<32x2x4xbf16>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %9 = stablehlo.dynamic_slice %8, %c_8, %iterArg, %c_8, sizes = [32, 1, 4] : (tensor<32x2x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x4xbf16>
//       %10 = stablehlo.reshape %9 : (tensor<32x1x4xbf16>) -> tensor<32x4xbf16>
//       %11 = stablehlo.dot_general %10, %iterArg_6, contracting_dims = [1] x [0] : (tensor<32x4xbf16>, tensor<4x32xbf16>) -> tensor<32x32xbf16>
//       %12 = stablehlo.tanh %11 : tensor<32x32xbf16>
//       %13 = stablehlo.dot_general %12, %iterArg_7, contracting_dims = [1] x [0] : (tensor<32x32xbf16>, tensor<32x4xbf16>) -> tensor<32x4xbf16>
//       %c_9 = stablehlo.constant dense<1> : tensor<i32>
//       %14 = stablehlo.add %iterArg, %c_9 : tensor<i32>
//       %15 = stablehlo.reshape %13 : (tensor<32x4xbf16>) -> tensor<32x1x4xbf16>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %16 = stablehlo.dynamic_update_slice %iterArg_4, %15, %c_10, %iterArg, %c_10 : (tensor<32x2x4xbf16>, tensor<32x1x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x2x4xbf16>
//       stablehlo.return %14, %16, %iterArg_5, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<32x2x4xbf16>, tensor<64x4xbf16>, tensor<4x32xbf16>, tensor<32x4xbf16>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<32x2x4xbf16>) -> tensor<64x4xbf16>
//     %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<64x4xbf16>, tensor<4x4xbf16>) -> tensor<64x4xbf16>
//     %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [1] x [1] : (tensor<64x4xbf16>, tensor<4x4xbf16>) -> tensor<64x4xbf16>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<32x4xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4x32xf32>
//     %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<32x2x4xbf16>
//     %4:8 = stablehlo.while(%iterArg = %c_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %cst_3, %iterArg_7 = %arg3, %iterArg_8 = %arg0, %iterArg_9 = %3, %iterArg_10 = %arg1) : tensor<i32>, tensor<32x4xf32>, tensor<4x32xf32>, tensor<32x2x4xbf16>, tensor<64x4xbf16>, tensor<4x32xbf16>, tensor<64x4xbf16>, tensor<32x4xbf16>
//     cond {
//       %c_11 = stablehlo.constant dense<2> : tensor<i32>
//       %8 = stablehlo.compare LT, %iterArg, %c_11 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %8 : tensor<i1>
//     } do {
//       %8 = stablehlo.reshape %iterArg_7 : (tensor<64x4xbf16>) -> tensor<32x2x4xbf16>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %9 = stablehlo.dynamic_slice %8, %c_11, %iterArg, %c_11, sizes = [32, 1, 4] : (tensor<32x2x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x4xbf16>
//       %10 = stablehlo.reshape %9 : (tensor<32x1x4xbf16>) -> tensor<32x4xbf16>
//       %11 = stablehlo.dot_general %10, %iterArg_8, contracting_dims = [1] x [0] : (tensor<32x4xbf16>, tensor<4x32xbf16>) -> tensor<32x32xbf16>
//       %12 = stablehlo.tanh %11 : tensor<32x32xbf16>
//       %13 = stablehlo.reshape %iterArg_9 : (tensor<64x4xbf16>) -> tensor<32x2x4xbf16>
//       %c_12 = stablehlo.constant dense<0> : tensor<i32>
//       %14 = stablehlo.dynamic_slice %13, %c_12, %iterArg, %c_12, sizes = [32, 1, 4] : (tensor<32x2x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x4xbf16>
//       %15 = stablehlo.reshape %14 : (tensor<32x1x4xbf16>) -> tensor<32x4xbf16>
//       %16 = stablehlo.dot_general %15, %iterArg_10, contracting_dims = [1] x [1] : (tensor<32x4xbf16>, tensor<32x4xbf16>) -> tensor<32x32xbf16>
//       %17 = stablehlo.dot_general %12, %15, contracting_dims = [0] x [0] : (tensor<32x32xbf16>, tensor<32x4xbf16>) -> tensor<32x4xbf16>
//       %18 = stablehlo.multiply %12, %12 : tensor<32x32xbf16>
//       %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<32x32xbf16>
//       %19 = stablehlo.subtract %cst_13, %18 : tensor<32x32xbf16>
//       %20 = stablehlo.multiply %16, %19 : tensor<32x32xbf16>
//       %21 = stablehlo.dot_general %10, %20, contracting_dims = [0] x [0] : (tensor<32x4xbf16>, tensor<32x32xbf16>) -> tensor<4x32xbf16>
//       %22 = stablehlo.dot_general %20, %iterArg_8, contracting_dims = [1] x [1] : (tensor<32x32xbf16>, tensor<4x32xbf16>) -> tensor<32x4xbf16>
//       %c_14 = stablehlo.constant dense<1> : tensor<i32>
//       %23 = stablehlo.add %iterArg, %c_14 : tensor<i32>
//       %24 = stablehlo.convert %17 : (tensor<32x4xbf16>) -> tensor<32x4xf32>
//       %25 = stablehlo.add %iterArg_4, %24 : tensor<32x4xf32>
//       %26 = stablehlo.convert %21 : (tensor<4x32xbf16>) -> tensor<4x32xf32>
//       %27 = stablehlo.add %iterArg_5, %26 : tensor<4x32xf32>
//       %28 = stablehlo.reshape %22 : (tensor<32x4xbf16>) -> tensor<32x1x4xbf16>
//       %c_15 = stablehlo.constant dense<0> : tensor<i32>
//       %29 = stablehlo.dynamic_update_slice %iterArg_6, %28, %c_15, %iterArg, %c_15 : (tensor<32x2x4xbf16>, tensor<32x1x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x2x4xbf16>
//       stablehlo.return %23, %25, %27, %29, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10 : tensor<i32>, tensor<32x4xf32>, tensor<4x32xf32>, tensor<32x2x4xbf16>, tensor<64x4xbf16>, tensor<4x32xbf16>, tensor<64x4xbf16>, tensor<32x4xbf16>
//     }
//     %5 = stablehlo.convert %4#1 : (tensor<32x4xf32>) -> tensor<32x4xbf16>
//     %6 = stablehlo.convert %4#2 : (tensor<4x32xf32>) -> tensor<4x32xbf16>
//     %7 = stablehlo.reshape %4#3 : (tensor<32x2x4xbf16>) -> tensor<64x4xbf16>
//     return %6, %5, %7 : tensor<4x32xbf16>, tensor<32x4xbf16>, tensor<64x4xbf16>
//   }
// }
// 0 results differ
