// test: transform parameters=1
// Weights that are divided by the largest of a row and rounded to eight bits: a loop of its own makes them, with their scales,
// which loops read that compute with them. The second loop asks for the same and reads the same.
func.func @main(%ws: tensor<3x4x4xf32>, %x: tensor<2x4xf8E4M3FN>, %u: tensor<2x4xf8E4M3FN>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %0:2 = stablehlo.while(%i = %zero, %h = %start) : tensor<i32>, tensor<2x4xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %a = stablehlo.dynamic_slice %ws, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %b = stablehlo.reshape %a : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %c = stablehlo.abs %b : tensor<4x4xf32>
    %d = stablehlo.reduce(%c init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %e = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
    %f = stablehlo.divide %b, %e : tensor<4x4xf32>
    %w = stablehlo.convert %f : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FN>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<2x4xf32>
    %s = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %z = stablehlo.multiply %y, %s : tensor<2x4xf32>
    %g = stablehlo.add %h, %z : tensor<2x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %g : tensor<i32>, tensor<2x4xf32>
  }
  %2:2 = stablehlo.while(%i = %zero, %h = %start) : tensor<i32>, tensor<2x4xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %ws, %k, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %b = stablehlo.reshape %a : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %c = stablehlo.abs %b : tensor<4x4xf32>
    %d = stablehlo.reduce(%c init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %e = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
    %f = stablehlo.divide %b, %e : tensor<4x4xf32>
    %w = stablehlo.convert %f : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FN>
    %y = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0] : (tensor<2x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<2x4xf32>
    %s = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %z = stablehlo.multiply %y, %s : tensor<2x4xf32>
    %g = stablehlo.add %h, %z : tensor<2x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %g : tensor<i32>, tensor<2x4xf32>
  }
  return %0#1, %2#1 : tensor<2x4xf32>, tensor<2x4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<3x4x4xf32>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<2x4xf8E4M3FN>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4xf32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f8E4M3FN>
//     %1 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f8E4M3FN>) -> tensor<3x4x4xf8E4M3FN>
//     %2:3 = stablehlo.while(%iterArg = %c_0, %iterArg_3 = %0, %iterArg_4 = %1) : tensor<i32>, tensor<3x4xf32>, tensor<3x4x4xf8E4M3FN>
//     cond {
//       %c_5 = stablehlo.constant dense<3> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %arg0, %iterArg, %c_6, %c_6, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %7 = stablehlo.abs %6 : tensor<4x4xf32>
//       %8 = stablehlo.reduce(%7 init: %cst_5) applies stablehlo.maximum across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
//       %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
//       %10 = stablehlo.divide %6, %9 : tensor<4x4xf32>
//       %11 = stablehlo.convert %10 : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FN>
//       %c_7 = stablehlo.constant dense<1> : tensor<i32>
//       %12 = stablehlo.add %iterArg, %c_7 : tensor<i32>
//       %13 = stablehlo.reshape %8 : (tensor<4xf32>) -> tensor<1x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %14 = stablehlo.dynamic_update_slice %iterArg_3, %13, %iterArg, %c_8 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//       %15 = stablehlo.reshape %11 : (tensor<4x4xf8E4M3FN>) -> tensor<1x4x4xf8E4M3FN>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %16 = stablehlo.dynamic_update_slice %iterArg_4, %15, %iterArg, %c_9, %c_9 : (tensor<3x4x4xf8E4M3FN>, tensor<1x4x4xf8E4M3FN>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf8E4M3FN>
//       stablehlo.return %12, %14, %16 : tensor<i32>, tensor<3x4xf32>, tensor<3x4x4xf8E4M3FN>
//     }
//     %3:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst) : tensor<i32>, tensor<2x4xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %2#1, %iterArg, %c_5, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<1x4xf32>) -> tensor<4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %7 = stablehlo.dynamic_slice %2#2, %iterArg, %c_6, %c_6, sizes = [1, 4, 4] : (tensor<3x4x4xf8E4M3FN>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf8E4M3FN>
//       %8 = stablehlo.reshape %7 : (tensor<1x4x4xf8E4M3FN>) -> tensor<4x4xf8E4M3FN>
//       %9 = stablehlo.dot_general %arg1, %8, contracting_dims = [1] x [0] : (tensor<2x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<2x4xf32>
//       %10 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
//       %11 = stablehlo.multiply %9, %10 : tensor<2x4xf32>
//       %12 = stablehlo.add %iterArg_3, %11 : tensor<2x4xf32>
//       %13 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       stablehlo.return %13, %12 : tensor<i32>, tensor<2x4xf32>
//     }
//     %4:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst) : tensor<i32>, tensor<2x4xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %c_5 = stablehlo.constant dense<2> : tensor<i32>
//       %5 = stablehlo.subtract %c_5, %iterArg : tensor<i32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %2#1, %5, %c_6, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<1x4xf32>) -> tensor<4xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %8 = stablehlo.dynamic_slice %2#2, %5, %c_7, %c_7, sizes = [1, 4, 4] : (tensor<3x4x4xf8E4M3FN>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf8E4M3FN>
//       %9 = stablehlo.reshape %8 : (tensor<1x4x4xf8E4M3FN>) -> tensor<4x4xf8E4M3FN>
//       %10 = stablehlo.dot_general %arg2, %9, contracting_dims = [1] x [0] : (tensor<2x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<2x4xf32>
//       %11 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
//       %12 = stablehlo.multiply %10, %11 : tensor<2x4xf32>
//       %13 = stablehlo.add %iterArg_3, %12 : tensor<2x4xf32>
//       %14 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       stablehlo.return %14, %13 : tensor<i32>, tensor<2x4xf32>
//     }
//     return %3#1, %4#1 : tensor<2x4xf32>, tensor<2x4xf32>
//   }
// }
