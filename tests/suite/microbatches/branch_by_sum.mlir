// test: microbatches count=2
// A sum over the batch may decide which way a conditional goes: it is put together in a pass of its own.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %which = stablehlo.compare GT, %sum, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %f = "stablehlo.if"(%which) ({
    %y = stablehlo.tanh %x : tensor<8x4xf32>
    stablehlo.return %y : tensor<8x4xf32>
  }, {
    stablehlo.return %x : tensor<8x4xf32>
  }) : (tensor<i1>) -> tensor<8x4xf32>
  %g = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}
// expect:
// batch of 8, passes: 2
// pass 0: Partial(Sum)
// pass 1: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>) -> tensor<4xf32> {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %arg1) : tensor<i32>, tensor<f32>, tensor<8x4xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<2> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.reshape %iterArg_4 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %4, %c_5, %iterArg, %c_5, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %7 = stablehlo.reduce(%6 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
//       %c_7 = stablehlo.constant dense<1> : tensor<i32>
//       %8 = stablehlo.add %iterArg, %c_7 : tensor<i32>
//       %9 = stablehlo.add %iterArg_3, %7 : tensor<f32>
//       stablehlo.return %8, %9, %iterArg_4 : tensor<i32>, tensor<f32>, tensor<8x4xf32>
//     }
//     %1 = stablehlo.compare GT, %0#1, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
//     %c_1 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %2:4 = stablehlo.while(%iterArg = %c_1, %iterArg_3 = %cst_2, %iterArg_4 = %1, %iterArg_5 = %arg1) : tensor<i32>, tensor<4xf32>, tensor<i1>, tensor<8x4xf32>
//     cond {
//       %c_6 = stablehlo.constant dense<2> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.reshape %iterArg_5 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %4, %c_6, %iterArg, %c_6, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %7 = "stablehlo.if"(%iterArg_4) ({
//         %11 = stablehlo.tanh %6 : tensor<4x4xf32>
//         stablehlo.return %11 : tensor<4x4xf32>
//       }, {
//         stablehlo.return %6 : tensor<4x4xf32>
//       }) : (tensor<i1>) -> tensor<4x4xf32>
//       %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %8 = stablehlo.reduce(%7 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
//       %c_8 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.add %iterArg, %c_8 : tensor<i32>
//       %10 = stablehlo.add %iterArg_3, %8 : tensor<4xf32>
//       stablehlo.return %9, %10, %iterArg_4, %iterArg_5 : tensor<i32>, tensor<4xf32>, tensor<i1>, tensor<8x4xf32>
//     }
//     %3 = stablehlo.subtract %arg0, %2#1 : tensor<4xf32>
//     return %3 : tensor<4xf32>
//   }
// }
