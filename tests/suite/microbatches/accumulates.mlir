// test: microbatches count=2
// A step that takes its batch apart and accumulates by itself is cut once more, within each of its parts.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %xs = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
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
//       %2 = stablehlo.reshape %iterArg_3 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %2, %c_5, %iterArg, %c_5, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %4 = stablehlo.reshape %3 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//       %6:3 = stablehlo.while(%iterArg_9 = %c_6, %iterArg_10 = %cst_7, %iterArg_11 = %5) : tensor<i32>, tensor<4xf32>, tensor<2x2x4xf32>
//       cond {
//         %c_12 = stablehlo.constant dense<2> : tensor<i32>
//         %9 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %9 : tensor<i1>
//       } do {
//         %c_12 = stablehlo.constant dense<1> : tensor<i32>
//         %c_13 = stablehlo.constant dense<0> : tensor<i32>
//         %9 = stablehlo.dynamic_slice %iterArg_11, %iterArg_9, %c_13, %c_13, sizes = [1, 2, 4] : (tensor<2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
//         %10 = stablehlo.reshape %9 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
//         %11 = stablehlo.dot_general %10, %iterArg_4, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
//         %12 = stablehlo.dot_general %10, %11, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<4xf32>
//         %13 = stablehlo.add %iterArg_10, %12 : tensor<4xf32>
//         %14 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
//         stablehlo.return %14, %13, %iterArg_11 : tensor<i32>, tensor<4xf32>, tensor<2x2x4xf32>
//       }
//       %c_8 = stablehlo.constant dense<1> : tensor<i32>
//       %7 = stablehlo.add %iterArg, %c_8 : tensor<i32>
//       %8 = stablehlo.add %iterArg_2, %6#1 : tensor<4xf32>
//       stablehlo.return %7, %8, %iterArg_3, %iterArg_4 : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>
//     }
//     %1 = stablehlo.subtract %arg0, %0#1 : tensor<4xf32>
//     return %1 : tensor<4xf32>
//   }
// }
