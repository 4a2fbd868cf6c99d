// test: tiles count=2 possible
// Where all that can run in tiles has a border as large as what is in it, that is what runs.
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %a = stablehlo.tanh %h : tensor<4x6xf32>
  return %a : tensor<4x6xf32>
}
// expect:
// tensor<4x6xf32> along dim 0 of 4, ratio 1: reads 2, makes stablehlo.tanh
// module {
//   func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x6xf32>) -> tensor<4x6xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2x6xf32>
//     %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %cst, %iterArg_1 = %arg0, %iterArg_2 = %arg1) : tensor<i32>, tensor<2x2x6xf32>, tensor<4x6xf32>, tensor<6x6xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<2> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_1 : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
//       %c_3 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_3, %iterArg, %c_3, sizes = [2, 1, 6] : (tensor<2x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x6xf32>
//       %4 = stablehlo.reshape %3 : (tensor<2x1x6xf32>) -> tensor<2x6xf32>
//       %5 = stablehlo.dot_general %4, %iterArg_2, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
//       %6 = stablehlo.tanh %5 : tensor<2x6xf32>
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %7 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       %8 = stablehlo.reshape %6 : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %9 = stablehlo.dynamic_update_slice %iterArg_0, %8, %c_5, %iterArg, %c_5 : (tensor<2x2x6xf32>, tensor<2x1x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x6xf32>
//       stablehlo.return %7, %9, %iterArg_1, %iterArg_2 : tensor<i32>, tensor<2x2x6xf32>, tensor<4x6xf32>, tensor<6x6xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<2x2x6xf32>) -> tensor<4x6xf32>
//     return %1 : tensor<4x6xf32>
//   }
// }
// 0 results differ
