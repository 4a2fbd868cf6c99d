// test: microbatches count=2
// One that takes every other example for a part is cut so that examples that follow one another stay together.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %apart = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
  %xs = stablehlo.transpose %apart, dims = [1, 0, 2] : (tensor<4x2x4xf32>) -> tensor<2x4x4xf32>
  %f:3 = stablehlo.while(%i = %c0, %g = %zeros, %all = %xs) : tensor<i32>, tensor<4xf32>, tensor<2x4x4xf32>
  cond {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.dynamic_slice %all, %i, %n, %n, sizes = [1, 4, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %y = stablehlo.reshape %one : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %d = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %e = stablehlo.dot_general %y, %d, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %h = stablehlo.add %g, %e : tensor<4xf32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %h, %all : tensor<i32>, tensor<4xf32>, tensor<2x4x4xf32>
  }
  %u = stablehlo.subtract %w, %f#1 : tensor<4xf32>
  return %u : tensor<4xf32>
}
// expect:
// batch of 8, passes: 1
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>) -> tensor<4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_2 = %cst_1, %iterArg_3 = %arg1, %iterArg_4 = %arg0) : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<2> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.reshape %iterArg_3 : (tensor<8x4xf32>) -> tensor<2x2x2x4xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_5, %iterArg, %c_5, %c_5, sizes = [2, 1, 2, 4] : (tensor<2x2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x2x4xf32>
//       %4 = stablehlo.reshape %3 : (tensor<2x1x2x4xf32>) -> tensor<4x4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
//       %6 = stablehlo.transpose %5, dims = [1, 0, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//       %7:3 = stablehlo.while(%iterArg_9 = %c_6, %iterArg_10 = %cst_7, %iterArg_11 = %6) : tensor<i32>, tensor<4xf32>, tensor<2x2x4xf32>
//       cond {
//         %c_12 = stablehlo.constant dense<2> : tensor<i32>
//         %10 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %10 : tensor<i1>
//       } do {
//         %c_12 = stablehlo.constant dense<1> : tensor<i32>
//         %c_13 = stablehlo.constant dense<0> : tensor<i32>
//         %10 = stablehlo.dynamic_slice %iterArg_11, %iterArg_9, %c_13, %c_13, sizes = [1, 2, 4] : (tensor<2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
//         %11 = stablehlo.reshape %10 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
//         %12 = stablehlo.dot_general %11, %iterArg_4, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
//         %13 = stablehlo.dot_general %11, %12, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<4xf32>
//         %14 = stablehlo.add %iterArg_10, %13 : tensor<4xf32>
//         %15 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
//         stablehlo.return %15, %14, %iterArg_11 : tensor<i32>, tensor<4xf32>, tensor<2x2x4xf32>
//       }
//       %c_8 = stablehlo.constant dense<1> : tensor<i32>
//       %8 = stablehlo.add %iterArg, %c_8 : tensor<i32>
//       %9 = stablehlo.add %iterArg_2, %7#1 : tensor<4xf32>
//       stablehlo.return %8, %9, %iterArg_3, %iterArg_4 : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>
//     }
//     %1 = stablehlo.subtract %arg0, %0#1 : tensor<4xf32>
//     return %1 : tensor<4xf32>
//   }
// }
