// test: tiles count=4 possible
// What a loop keeps of its scores lies in a stack: the scores run in tiles, what puts them into the stack does not.
func.func @main(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>) -> (tensor<3x64x64xf32>, tensor<64x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<3x64x64xf32>
  %r:3 = stablehlo.while(%i = %zero, %h = %q, %stack = %none) : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.dot_general %h, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
    %p = stablehlo.tanh %s : tensor<64x64xf32>
    %e = stablehlo.dot_general %p, %k, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
    %u = stablehlo.dot_general %e, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
    %v = stablehlo.sine %u : tensor<64x64xf32>
    %n = stablehlo.dot_general %v, %k, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
    %part = stablehlo.reshape %p : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %put = stablehlo.dynamic_update_slice %stack, %part, %i, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %n, %put : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
  }
  return %r#2, %r#1 : tensor<3x64x64xf32>, tensor<64x4xf32>
}
// expect:
// tensor<64x64xf32> along dim 0 of 64, ratio 16: reads 2, makes stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<64x4xf32>, %arg1: tensor<64x4xf32>) -> (tensor<3x64x64xf32>, tensor<64x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<3> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<3x64x64xf32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg0, %iterArg_3 = %cst) : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
//     cond {
//       %1 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %1 : tensor<i1>
//     } do {
//       %1 = stablehlo.dot_general %iterArg_2, %arg1, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
//       %2 = stablehlo.tanh %1 : tensor<64x64xf32>
//       %3 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
//       %4 = stablehlo.reshape %2 : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
//       %5 = stablehlo.dynamic_update_slice %iterArg_3, %4, %iterArg, %c, %c : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
//       %6 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       %c_4 = stablehlo.constant dense<0> : tensor<i32>
//       %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<16x4x4xf32>
//       %7:4 = stablehlo.while(%iterArg_6 = %c_4, %iterArg_7 = %cst_5, %iterArg_8 = %3, %iterArg_9 = %arg1) : tensor<i32>, tensor<16x4x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//       cond {
//         %c_10 = stablehlo.constant dense<4> : tensor<i32>
//         %9 = stablehlo.compare LT, %iterArg_6, %c_10 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %9 : tensor<i1>
//       } do {
//         %9 = stablehlo.reshape %iterArg_8 : (tensor<64x4xf32>) -> tensor<16x4x4xf32>
//         %c_10 = stablehlo.constant dense<0> : tensor<i32>
//         %10 = stablehlo.dynamic_slice %9, %c_10, %iterArg_6, %c_10, sizes = [16, 1, 4] : (tensor<16x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x4xf32>
//         %11 = stablehlo.reshape %10 : (tensor<16x1x4xf32>) -> tensor<16x4xf32>
//         %12 = stablehlo.dot_general %11, %iterArg_9, contracting_dims = [1] x [1] : (tensor<16x4xf32>, tensor<64x4xf32>) -> tensor<16x64xf32>
//         %13 = stablehlo.sine %12 : tensor<16x64xf32>
//         %14 = stablehlo.dot_general %13, %iterArg_9, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x4xf32>) -> tensor<16x4xf32>
//         %c_11 = stablehlo.constant dense<1> : tensor<i32>
//         %15 = stablehlo.add %iterArg_6, %c_11 : tensor<i32>
//         %16 = stablehlo.reshape %14 : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
//         %c_12 = stablehlo.constant dense<0> : tensor<i32>
//         %17 = stablehlo.dynamic_update_slice %iterArg_7, %16, %c_12, %iterArg_6, %c_12 : (tensor<16x4x4xf32>, tensor<16x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x4x4xf32>
//         stablehlo.return %15, %17, %iterArg_8, %iterArg_9 : tensor<i32>, tensor<16x4x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//       }
//       %8 = stablehlo.reshape %7#1 : (tensor<16x4x4xf32>) -> tensor<64x4xf32>
//       stablehlo.return %6, %8, %5 : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
//     }
//     return %0#2, %0#1 : tensor<3x64x64xf32>, tensor<64x4xf32>
//   }
// }
// 0 results differ
