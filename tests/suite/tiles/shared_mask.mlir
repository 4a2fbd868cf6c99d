// test: tiles count=2
// One mask of constants that two attentions read: each is a region of its own, and makes its part of the mask.
func.func @main(%q: tensor<16x2xf32>, %k: tensor<16x2xf32>) -> tensor<16x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %columns = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %mask = stablehlo.compare GE, %rows, %columns, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %least = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x16xf32>
  %p = stablehlo.select %mask, %s, %least : tensor<16x16xi1>, tensor<16x16xf32>
  %o = stablehlo.dot_general %p, %k, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
  %s1 = stablehlo.dot_general %o, %k, contracting_dims = [1] x [1] : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x16xf32>
  %p1 = stablehlo.select %mask, %s1, %least : tensor<16x16xi1>, tensor<16x16xf32>
  %o1 = stablehlo.dot_general %p1, %k, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
  return %o1 : tensor<16x2xf32>
}
// expect:
// tensor<16x16xf32> along dim 0 of 16, ratio 8: reads 2, makes stablehlo.dot_general
// tensor<16x16xf32> along dim 0 of 16, ratio 8: reads 2, makes stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<16x2xf32>, %arg1: tensor<16x2xf32>) -> tensor<16x2xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x2x2xf32>
//     %0:4 = stablehlo.while(%iterArg = %c, %iterArg_2 = %cst, %iterArg_3 = %arg0, %iterArg_4 = %arg1) : tensor<i32>, tensor<8x2x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<2> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.reshape %iterArg_3 : (tensor<16x2xf32>) -> tensor<8x2x2xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %4, %c_5, %iterArg, %c_5, sizes = [8, 1, 2] : (tensor<8x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x2xf32>
//       %6 = stablehlo.reshape %5 : (tensor<8x1x2xf32>) -> tensor<8x2xf32>
//       %7 = stablehlo.dot_general %6, %iterArg_4, contracting_dims = [1] x [1] : (tensor<8x2xf32>, tensor<16x2xf32>) -> tensor<8x16xf32>
//       %8 = stablehlo.iota dim = 0 : tensor<8x16xi32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.multiply %iterArg, %c_6 : tensor<i32>
//       %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
//       %c_7 = stablehlo.constant dense<2> : tensor<8x16xi32>
//       %11 = stablehlo.multiply %8, %c_7 : tensor<8x16xi32>
//       %12 = stablehlo.add %11, %10 : tensor<8x16xi32>
//       %13 = stablehlo.iota dim = 1 : tensor<8x16xi32>
//       %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
//       %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %15 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
//       %16 = stablehlo.select %14, %7, %15 : tensor<8x16xi1>, tensor<8x16xf32>
//       %17 = stablehlo.dot_general %16, %iterArg_4, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x2xf32>) -> tensor<8x2xf32>
//       %c_9 = stablehlo.constant dense<1> : tensor<i32>
//       %18 = stablehlo.add %iterArg, %c_9 : tensor<i32>
//       %19 = stablehlo.reshape %17 : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %20 = stablehlo.dynamic_update_slice %iterArg_2, %19, %c_10, %iterArg, %c_10 : (tensor<8x2x2xf32>, tensor<8x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x2x2xf32>
//       stablehlo.return %18, %20, %iterArg_3, %iterArg_4 : tensor<i32>, tensor<8x2x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<8x2x2xf32>) -> tensor<16x2xf32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<8x2x2xf32>
//     %2:4 = stablehlo.while(%iterArg = %c_0, %iterArg_2 = %cst_1, %iterArg_3 = %1, %iterArg_4 = %arg1) : tensor<i32>, tensor<8x2x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<2> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.reshape %iterArg_3 : (tensor<16x2xf32>) -> tensor<8x2x2xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %4, %c_5, %iterArg, %c_5, sizes = [8, 1, 2] : (tensor<8x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x2xf32>
//       %6 = stablehlo.reshape %5 : (tensor<8x1x2xf32>) -> tensor<8x2xf32>
//       %7 = stablehlo.dot_general %6, %iterArg_4, contracting_dims = [1] x [1] : (tensor<8x2xf32>, tensor<16x2xf32>) -> tensor<8x16xf32>
//       %8 = stablehlo.iota dim = 0 : tensor<8x16xi32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.multiply %iterArg, %c_6 : tensor<i32>
//       %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
//       %c_7 = stablehlo.constant dense<2> : tensor<8x16xi32>
//       %11 = stablehlo.multiply %8, %c_7 : tensor<8x16xi32>
//       %12 = stablehlo.add %11, %10 : tensor<8x16xi32>
//       %13 = stablehlo.iota dim = 1 : tensor<8x16xi32>
//       %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
//       %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %15 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
//       %16 = stablehlo.select %14, %7, %15 : tensor<8x16xi1>, tensor<8x16xf32>
//       %17 = stablehlo.dot_general %16, %iterArg_4, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x2xf32>) -> tensor<8x2xf32>
//       %c_9 = stablehlo.constant dense<1> : tensor<i32>
//       %18 = stablehlo.add %iterArg, %c_9 : tensor<i32>
//       %19 = stablehlo.reshape %17 : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %20 = stablehlo.dynamic_update_slice %iterArg_2, %19, %c_10, %iterArg, %c_10 : (tensor<8x2x2xf32>, tensor<8x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x2x2xf32>
//       stablehlo.return %18, %20, %iterArg_3, %iterArg_4 : tensor<i32>, tensor<8x2x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>
//     }
//     %3 = stablehlo.reshape %2#1 : (tensor<8x2x2xf32>) -> tensor<16x2xf32>
//     return %3 : tensor<16x2xf32>
//   }
// }
// 0 results differ
