// test: tiles count=4
// Attention of a program that does not train, over a batch that is longer than its sequences: queries are cut all the same.
func.func @main(%q: tensor<32x16x2xf32>, %k: tensor<32x16x2xf32>, %v: tensor<32x16x2xf32>) -> tensor<32x16x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x16x2xf32>, tensor<32x16x2xf32>) -> tensor<32x16x16xf32>
  %e = stablehlo.exponential %s : tensor<32x16x16xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x16x16xf32>, tensor<f32>) -> tensor<32x16xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<32x16xf32>) -> tensor<32x16x16xf32>
  %p = stablehlo.divide %e, %nb : tensor<32x16x16xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x16x16xf32>, tensor<32x16x2xf32>) -> tensor<32x16x2xf32>
  return %o : tensor<32x16x2xf32>
}
// expect:
// tensor<32x16x16xf32> along dim 1 of 16, ratio 8: reads 3, makes stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<32x16x2xf32>, %arg1: tensor<32x16x2xf32>, %arg2: tensor<32x16x2xf32>) -> tensor<32x16x2xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<32x4x4x2xf32>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_0 = %cst, %iterArg_1 = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %arg2) : tensor<i32>, tensor<32x4x4x2xf32>, tensor<32x16x2xf32>, tensor<32x16x2xf32>, tensor<32x16x2xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<4> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_1 : (tensor<32x16x2xf32>) -> tensor<32x4x4x2xf32>
//       %c_4 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_4, %c_4, %iterArg, %c_4, sizes = [32, 4, 1, 2] : (tensor<32x4x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x4x1x2xf32>
//       %4 = stablehlo.reshape %3 : (tensor<32x4x1x2xf32>) -> tensor<32x4x2xf32>
//       %5 = stablehlo.dot_general %4, %iterArg_2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x4x2xf32>, tensor<32x16x2xf32>) -> tensor<32x4x16xf32>
//       %6 = stablehlo.exponential %5 : tensor<32x4x16xf32>
//       %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %7 = stablehlo.reduce(%6 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<32x4x16xf32>, tensor<f32>) -> tensor<32x4xf32>
//       %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<32x4xf32>) -> tensor<32x4x16xf32>
//       %9 = stablehlo.divide %6, %8 : tensor<32x4x16xf32>
//       %10 = stablehlo.dot_general %9, %iterArg_3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x4x16xf32>, tensor<32x16x2xf32>) -> tensor<32x4x2xf32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %11 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       %12 = stablehlo.reshape %10 : (tensor<32x4x2xf32>) -> tensor<32x4x1x2xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %13 = stablehlo.dynamic_update_slice %iterArg_0, %12, %c_7, %c_7, %iterArg, %c_7 : (tensor<32x4x4x2xf32>, tensor<32x4x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x4x4x2xf32>
//       stablehlo.return %11, %13, %iterArg_1, %iterArg_2, %iterArg_3 : tensor<i32>, tensor<32x4x4x2xf32>, tensor<32x16x2xf32>, tensor<32x16x2xf32>, tensor<32x16x2xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<32x4x4x2xf32>) -> tensor<32x16x2xf32>
//     return %1 : tensor<32x16x2xf32>
//   }
// }
// 0 results differ
