// test: microbatches count=2
// A conditional that goes the same way for all examples runs in each microbatch. What one branch leaves of the batch as a sum and another as a number is a sum, to which the first microbatch adds the number.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %which: tensor<i1>) -> (tensor<4xf32>, tensor<f32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f:2 = "stablehlo.if"(%which) ({
    %y = stablehlo.tanh %x : tensor<8x4xf32>
    %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %y, %s : tensor<8x4xf32>, tensor<f32>
  }, {
    %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
    %three = stablehlo.constant dense<3.0> : tensor<f32>
    stablehlo.return %one, %three : tensor<8x4xf32>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<8x4xf32>, tensor<f32>)
  %g = stablehlo.reduce(%f#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u, %f#1, %f#0 : tensor<4xf32>, tensor<f32>, tensor<8x4xf32>
}
// expect:
// batch of 8, passes: 1
// pass 0: Cut(0)
// pass 0: Partial(Sum)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>, %arg2: tensor<i1>) -> (tensor<4xf32>, tensor<f32>, tensor<8x4xf32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x2x4xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %0:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %arg2, %iterArg_7 = %arg1) : tensor<i32>, tensor<4x2x4xf32>, tensor<f32>, tensor<4xf32>, tensor<i1>, tensor<8x4xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %3 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %3 : tensor<i1>
//     } do {
//       %3 = stablehlo.reshape %iterArg_7 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %4 = stablehlo.dynamic_slice %3, %c_8, %iterArg, %c_8, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %6:2 = "stablehlo.if"(%iterArg_6) ({
//         %13 = stablehlo.tanh %5 : tensor<4x4xf32>
//         %14 = stablehlo.reduce(%13 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
//         stablehlo.return %13, %14 : tensor<4x4xf32>, tensor<f32>
//       }, {
//         %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32>
//         %cst_13 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
//         %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
//         %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//         %c_16 = stablehlo.constant dense<0> : tensor<i32>
//         %13 = stablehlo.compare EQ, %iterArg, %c_16 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         %14 = stablehlo.select %13, %cst_13, %cst_15 : tensor<i1>, tensor<f32>
//         stablehlo.return %cst_14, %14 : tensor<4x4xf32>, tensor<f32>
//       }) : (tensor<i1>) -> (tensor<4x4xf32>, tensor<f32>)
//       %7 = stablehlo.reduce(%6#0 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %8 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %9 = stablehlo.reshape %6#0 : (tensor<4x4xf32>) -> tensor<4x1x4xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %10 = stablehlo.dynamic_update_slice %iterArg_3, %9, %c_11, %iterArg, %c_11 : (tensor<4x2x4xf32>, tensor<4x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x4xf32>
//       %11 = stablehlo.add %iterArg_4, %6#1 : tensor<f32>
//       %12 = stablehlo.add %iterArg_5, %7 : tensor<4xf32>
//       stablehlo.return %8, %10, %11, %12, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<4x2x4xf32>, tensor<f32>, tensor<4xf32>, tensor<i1>, tensor<8x4xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<4x2x4xf32>) -> tensor<8x4xf32>
//     %2 = stablehlo.subtract %arg0, %0#3 : tensor<4xf32>
//     return %2, %0#2, %1 : tensor<4xf32>, tensor<f32>, tensor<8x4xf32>
//   }
// }
