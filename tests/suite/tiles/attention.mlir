// test: tiles count=4
// An attention without gradients, in tiles of queries: the mask counts from where its queries are, what is made of
// constants is made in the loop, and keys and values are read whole.
func.func @main(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %later = stablehlo.compare GE, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<64x64xf32>
  %masked = stablehlo.select %later, %s, %low : tensor<64x64xi1>, tensor<64x64xf32>
  %m = stablehlo.reduce(%masked init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.subtract %masked, %mb : tensor<64x64xf32>
  %e = stablehlo.exponential %d : tensor<64x64xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %p = stablehlo.divide %e, %nb : tensor<64x64xf32>
  %o = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  return %o : tensor<64x4xf32>
}
// expect:
// tensor<64x64xf32> along dim 0 of 64, ratio 16: reads 3, makes stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<64x4xf32>, %arg1: tensor<64x4xf32>, %arg2: tensor<64x4xf32>) -> tensor<64x4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x4x4xf32>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_0 = %cst, %iterArg_1 = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %arg2) : tensor<i32>, tensor<16x4x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<4> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_1 : (tensor<64x4xf32>) -> tensor<16x4x4xf32>
//       %c_4 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_4, %iterArg, %c_4, sizes = [16, 1, 4] : (tensor<16x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x4xf32>
//       %4 = stablehlo.reshape %3 : (tensor<16x1x4xf32>) -> tensor<16x4xf32>
//       %5 = stablehlo.dot_general %4, %iterArg_2, contracting_dims = [1] x [1] : (tensor<16x4xf32>, tensor<64x4xf32>) -> tensor<16x64xf32>
//       %6 = stablehlo.iota dim = 0 : tensor<16x64xi32>
//       %c_5 = stablehlo.constant dense<1> : tensor<i32>
//       %7 = stablehlo.multiply %iterArg, %c_5 : tensor<i32>
//       %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<16x64xi32>
//       %c_6 = stablehlo.constant dense<4> : tensor<16x64xi32>
//       %9 = stablehlo.multiply %6, %c_6 : tensor<16x64xi32>
//       %10 = stablehlo.add %9, %8 : tensor<16x64xi32>
//       %11 = stablehlo.iota dim = 1 : tensor<16x64xi32>
//       %12 = stablehlo.compare GE, %10, %11 : (tensor<16x64xi32>, tensor<16x64xi32>) -> tensor<16x64xi1>
//       %cst_7 = stablehlo.constant dense<-1.000000e+09> : tensor<16x64xf32>
//       %13 = stablehlo.select %12, %5, %cst_7 : tensor<16x64xi1>, tensor<16x64xf32>
//       %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
//       %14 = stablehlo.reduce(%13 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
//       %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
//       %16 = stablehlo.subtract %13, %15 : tensor<16x64xf32>
//       %17 = stablehlo.exponential %16 : tensor<16x64xf32>
//       %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %18 = stablehlo.reduce(%17 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
//       %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
//       %20 = stablehlo.divide %17, %19 : tensor<16x64xf32>
//       %21 = stablehlo.dot_general %20, %iterArg_3, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x4xf32>) -> tensor<16x4xf32>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %22 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %23 = stablehlo.reshape %21 : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %24 = stablehlo.dynamic_update_slice %iterArg_0, %23, %c_11, %iterArg, %c_11 : (tensor<16x4x4xf32>, tensor<16x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x4x4xf32>
//       stablehlo.return %22, %24, %iterArg_1, %iterArg_2, %iterArg_3 : tensor<i32>, tensor<16x4x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<16x4x4xf32>) -> tensor<64x4xf32>
//     return %1 : tensor<64x4xf32>
//   }
// }
// 0 results differ
