// test: tiles count=4
// Along its two heads nothing adds up, but they do not divide into four: the queries do, along which `%dk` adds up.
func.func @main(%q: tensor<2x64x4xf32>, %k: tensor<2x64x4xf32>) -> (tensor<2x64x4xf32>, tensor<2x64x4xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x64x4xf32>, tensor<2x64x4xf32>) -> tensor<2x64x64xf32>
  %p = stablehlo.tanh %s : tensor<2x64x64xf32>
  %y = stablehlo.dot_general %p, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x64x64xf32>, tensor<2x64x4xf32>) -> tensor<2x64x4xf32>
  %dk = stablehlo.dot_general %p, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x64x64xf32>, tensor<2x64x4xf32>) -> tensor<2x64x4xf32>
  return %y, %dk : tensor<2x64x4xf32>, tensor<2x64x4xf32>
}
// expect:
// tensor<2x64x64xf32> along dim 1 of 64, ratio 16: reads 2, makes stablehlo.dot_general, stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<2x64x4xf32>, %arg1: tensor<2x64x4xf32>) -> (tensor<2x64x4xf32>, tensor<2x64x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x16x4x4xf32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x64x4xf32>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_1 = %cst, %iterArg_2 = %cst_0, %iterArg_3 = %arg0, %iterArg_4 = %arg1) : tensor<i32>, tensor<2x16x4x4xf32>, tensor<2x64x4xf32>, tensor<2x64x4xf32>, tensor<2x64x4xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<4> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_3 : (tensor<2x64x4xf32>) -> tensor<2x16x4x4xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_5, %c_5, %iterArg, %c_5, sizes = [2, 16, 1, 4] : (tensor<2x16x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x1x4xf32>
//       %4 = stablehlo.reshape %3 : (tensor<2x16x1x4xf32>) -> tensor<2x16x4xf32>
//       %5 = stablehlo.dot_general %4, %iterArg_4, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x16x4xf32>, tensor<2x64x4xf32>) -> tensor<2x16x64xf32>
//       %6 = stablehlo.tanh %5 : tensor<2x16x64xf32>
//       %7 = stablehlo.dot_general %6, %iterArg_4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x16x64xf32>, tensor<2x64x4xf32>) -> tensor<2x16x4xf32>
//       %8 = stablehlo.dot_general %6, %4, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x16x64xf32>, tensor<2x16x4xf32>) -> tensor<2x64x4xf32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       %10 = stablehlo.reshape %7 : (tensor<2x16x4xf32>) -> tensor<2x16x1x4xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %11 = stablehlo.dynamic_update_slice %iterArg_1, %10, %c_7, %c_7, %iterArg, %c_7 : (tensor<2x16x4x4xf32>, tensor<2x16x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x4x4xf32>
//       %12 = stablehlo.add %iterArg_2, %8 : tensor<2x64x4xf32>
//       stablehlo.return %9, %11, %12, %iterArg_3, %iterArg_4 : tensor<i32>, tensor<2x16x4x4xf32>, tensor<2x64x4xf32>, tensor<2x64x4xf32>, tensor<2x64x4xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<2x16x4x4xf32>) -> tensor<2x64x4xf32>
//     return %1, %0#2 : tensor<2x64x4xf32>, tensor<2x64x4xf32>
//   }
// }
// 0 results differ
