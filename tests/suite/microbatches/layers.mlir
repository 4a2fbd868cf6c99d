// test: microbatches count=2
// A loop over layers stays a loop within that over microbatches. It carries activations of one microbatch, and stacks
// them; the mask that all turns read in parts is cut before it.
func.func @main(%ws: tensor<3x4x4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<3x4x4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %mask = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %empty = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x8x4xf32>
  %f:5 = stablehlo.while(%i = %c0, %y = %x, %s = %empty, %w = %ws, %k = %mask) : tensor<i32>, tensor<8x4xf32>, tensor<3x8x4xf32>, tensor<3x4x4xf32>, tensor<8x4xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %wi = stablehlo.dynamic_slice %w, %i, %z, %z, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %wl = stablehlo.reshape %wi : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %yi = stablehlo.reshape %y : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %t = stablehlo.dynamic_update_slice %s, %yi, %i, %z, %z : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32>
    %d = stablehlo.dot_general %y, %wl, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %e = stablehlo.multiply %d, %k : tensor<8x4xf32>
    stablehlo.return %j, %e, %t, %w, %k : tensor<i32>, tensor<8x4xf32>, tensor<3x8x4xf32>, tensor<3x4x4xf32>, tensor<8x4xf32>
  }
  %gs = stablehlo.dot_general %f#2, %f#1, contracting_dims = [1] x [0] : (tensor<3x8x4xf32>, tensor<8x4xf32>) -> tensor<3x4x4xf32>
  %u = stablehlo.subtract %ws, %gs : tensor<3x4x4xf32>
  return %u : tensor<3x4x4xf32>
}
// expect:
// batch of 8, passes: 1
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<3x4x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>) -> tensor<3x4x4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<8x4xf32>
//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x4xf32>
//     %c_1 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x4xf32>
//     %1:4 = stablehlo.while(%iterArg = %c_1, %iterArg_3 = %cst_2, %iterArg_4 = %arg1, %iterArg_5 = %arg0) : tensor<i32>, tensor<3x4x4xf32>, tensor<8x4xf32>, tensor<3x4x4xf32>
//     cond {
//       %c_6 = stablehlo.constant dense<2> : tensor<i32>
//       %3 = stablehlo.compare LT, %iterArg, %c_6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %3 : tensor<i1>
//     } do {
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.reshape %iterArg_4 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %4 = stablehlo.dynamic_slice %3, %c_7, %iterArg, %c_7, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %6 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
//       %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<4x4xf32>
//       %7:5 = stablehlo.while(%iterArg_11 = %c_6, %iterArg_12 = %5, %iterArg_13 = %6, %iterArg_14 = %iterArg_5, %iterArg_15 = %cst_9) : tensor<i32>, tensor<4x4xf32>, tensor<3x4x4xf32>, tensor<3x4x4xf32>, tensor<4x4xf32>
//       cond {
//         %c_16 = stablehlo.constant dense<3> : tensor<i32>
//         %11 = stablehlo.compare LT, %iterArg_11, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %11 : tensor<i1>
//       } do {
//         %c_16 = stablehlo.constant dense<0> : tensor<i32>
//         %c_17 = stablehlo.constant dense<1> : tensor<i32>
//         %11 = stablehlo.add %iterArg_11, %c_17 : tensor<i32>
//         %12 = stablehlo.dynamic_slice %iterArg_14, %iterArg_11, %c_16, %c_16, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//         %13 = stablehlo.reshape %12 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//         %14 = stablehlo.reshape %iterArg_12 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
//         %15 = stablehlo.dynamic_update_slice %iterArg_13, %14, %iterArg_11, %c_16, %c_16 : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
//         %16 = stablehlo.dot_general %iterArg_12, %13, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
//         %17 = stablehlo.multiply %16, %iterArg_15 : tensor<4x4xf32>
//         stablehlo.return %11, %17, %15, %iterArg_14, %iterArg_15 : tensor<i32>, tensor<4x4xf32>, tensor<3x4x4xf32>, tensor<3x4x4xf32>, tensor<4x4xf32>
//       }
//       %8 = stablehlo.dot_general %7#2, %7#1, contracting_dims = [1] x [0] : (tensor<3x4x4xf32>, tensor<4x4xf32>) -> tensor<3x4x4xf32>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %10 = stablehlo.add %iterArg_3, %8 : tensor<3x4x4xf32>
//       stablehlo.return %9, %10, %iterArg_4, %iterArg_5 : tensor<i32>, tensor<3x4x4xf32>, tensor<8x4xf32>, tensor<3x4x4xf32>
//     }
//     %2 = stablehlo.subtract %arg0, %1#1 : tensor<3x4x4xf32>
//     return %2 : tensor<3x4x4xf32>
//   }
// }
