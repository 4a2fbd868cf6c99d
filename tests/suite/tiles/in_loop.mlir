// test: tiles count=2
// A region inside of a loop over layers.
func.func @main(%x: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<64x4xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %s = stablehlo.dot_general %y, %x, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
    %e = stablehlo.tanh %s : tensor<64x64xf32>
    %o = stablehlo.dot_general %e, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
    stablehlo.return %j, %o : tensor<i32>, tensor<64x4xf32>
  }
  return %r#1 : tensor<64x4xf32>
}
// expect:
// tensor<64x64xf32> along dim 0 of 64, ratio 16: reads 2, makes stablehlo.dot_general
// module {
//   func.func @main(%arg0: tensor<64x4xf32>) -> tensor<64x4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<64x4xf32>
//     cond {
//       %c_1 = stablehlo.constant dense<3> : tensor<i32>
//       %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %1 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       %c_2 = stablehlo.constant dense<0> : tensor<i32>
//       %cst = stablehlo.constant dense<0.000000e+00> : tensor<32x2x4xf32>
//       %2:4 = stablehlo.while(%iterArg_3 = %c_2, %iterArg_4 = %cst, %iterArg_5 = %iterArg_0, %iterArg_6 = %arg0) : tensor<i32>, tensor<32x2x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//       cond {
//         %c_7 = stablehlo.constant dense<2> : tensor<i32>
//         %4 = stablehlo.compare LT, %iterArg_3, %c_7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %4 : tensor<i1>
//       } do {
//         %4 = stablehlo.reshape %iterArg_5 : (tensor<64x4xf32>) -> tensor<32x2x4xf32>
//         %c_7 = stablehlo.constant dense<0> : tensor<i32>
//         %5 = stablehlo.dynamic_slice %4, %c_7, %iterArg_3, %c_7, sizes = [32, 1, 4] : (tensor<32x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x4xf32>
//         %6 = stablehlo.reshape %5 : (tensor<32x1x4xf32>) -> tensor<32x4xf32>
//         %7 = stablehlo.dot_general %6, %iterArg_6, contracting_dims = [1] x [1] : (tensor<32x4xf32>, tensor<64x4xf32>) -> tensor<32x64xf32>
//         %8 = stablehlo.tanh %7 : tensor<32x64xf32>
//         %9 = stablehlo.dot_general %8, %iterArg_6, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x4xf32>) -> tensor<32x4xf32>
//         %c_8 = stablehlo.constant dense<1> : tensor<i32>
//         %10 = stablehlo.add %iterArg_3, %c_8 : tensor<i32>
//         %11 = stablehlo.reshape %9 : (tensor<32x4xf32>) -> tensor<32x1x4xf32>
//         %c_9 = stablehlo.constant dense<0> : tensor<i32>
//         %12 = stablehlo.dynamic_update_slice %iterArg_4, %11, %c_9, %iterArg_3, %c_9 : (tensor<32x2x4xf32>, tensor<32x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x2x4xf32>
//         stablehlo.return %10, %12, %iterArg_5, %iterArg_6 : tensor<i32>, tensor<32x2x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>
//       }
//       %3 = stablehlo.reshape %2#1 : (tensor<32x2x4xf32>) -> tensor<64x4xf32>
//       stablehlo.return %1, %3 : tensor<i32>, tensor<64x4xf32>
//     }
//     return %0#1 : tensor<64x4xf32>
//   }
// }
// 0 results differ
