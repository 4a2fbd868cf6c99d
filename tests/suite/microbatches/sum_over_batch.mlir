// test: microbatches count=2
// A gradient is a sum over the batch: each microbatch adds its contribution to an accumulator. The weights are the same
// for all of them, and the update waits for the sum.
func.func @main(%w: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %t: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<4x2xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %e = stablehlo.subtract %y, %t : tensor<8x2xf32>
  %s = stablehlo.multiply %e, %e : tensor<8x2xf32>
  %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %d = stablehlo.multiply %g, %rate : tensor<4x2xf32>
  %n = stablehlo.subtract %w, %d : tensor<4x2xf32>
  return %n, %loss : tensor<4x2xf32>, tensor<f32>
}
// expect:
// batch of 8, passes: 1
// pass 0: Partial(Sum)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>, %arg2: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<f32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<4x2xf32>
//     %0:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %cst_1, %iterArg_5 = %arg1, %iterArg_6 = %arg0, %iterArg_7 = %arg2) : tensor<i32>, tensor<f32>, tensor<4x2xf32>, tensor<8x4xf32>, tensor<4x2xf32>, tensor<8x2xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %3 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %3 : tensor<i1>
//     } do {
//       %3 = stablehlo.reshape %iterArg_5 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %4 = stablehlo.dynamic_slice %3, %c_8, %iterArg, %c_8, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %6 = stablehlo.dot_general %5, %iterArg_6, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
//       %7 = stablehlo.reshape %iterArg_7 : (tensor<8x2xf32>) -> tensor<4x2x2xf32>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %8 = stablehlo.dynamic_slice %7, %c_9, %iterArg, %c_9, sizes = [4, 1, 2] : (tensor<4x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x2xf32>
//       %9 = stablehlo.reshape %8 : (tensor<4x1x2xf32>) -> tensor<4x2xf32>
//       %10 = stablehlo.subtract %6, %9 : tensor<4x2xf32>
//       %11 = stablehlo.multiply %10, %10 : tensor<4x2xf32>
//       %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %12 = stablehlo.reduce(%11 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
//       %13 = stablehlo.dot_general %5, %10, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
//       %c_11 = stablehlo.constant dense<1> : tensor<i32>
//       %14 = stablehlo.add %iterArg, %c_11 : tensor<i32>
//       %15 = stablehlo.add %iterArg_3, %12 : tensor<f32>
//       %16 = stablehlo.add %iterArg_4, %13 : tensor<4x2xf32>
//       stablehlo.return %14, %15, %16, %iterArg_5, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<f32>, tensor<4x2xf32>, tensor<8x4xf32>, tensor<4x2xf32>, tensor<8x2xf32>
//     }
//     %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<4x2xf32>
//     %1 = stablehlo.multiply %0#2, %cst_2 : tensor<4x2xf32>
//     %2 = stablehlo.subtract %arg0, %1 : tensor<4x2xf32>
//     return %2, %0#1 : tensor<4x2xf32>, tensor<f32>
//   }
// }
