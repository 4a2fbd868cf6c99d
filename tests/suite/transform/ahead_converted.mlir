// test: transform parameters=2
// Layers convert their weights: the stack of them is converted once, for the loop that reads it from the front and for that
// which reads it from the back. A weight that both loops read as a whole is converted once too. Vectors stay as they are.
func.func @main(%ws: tensor<3x4x4xf32>, %bs: tensor<3x4xf32>, %x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<2x4xbf16>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %a = stablehlo.dynamic_slice %ws, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %b = stablehlo.reshape %a : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %w = stablehlo.convert %b : (tensor<4x4xf32>) -> tensor<4x4xbf16>
    %c = stablehlo.dynamic_slice %bs, %i, %none, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %d = stablehlo.reshape %c : (tensor<1x4xf32>) -> tensor<4xf32>
    %e = stablehlo.convert %d : (tensor<4xf32>) -> tensor<4xbf16>
    %f = stablehlo.broadcast_in_dim %e, dims = [1] : (tensor<4xbf16>) -> tensor<2x4xbf16>
    %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
    %z = stablehlo.add %y, %f : tensor<2x4xbf16>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2x4xbf16>
  }
  %2:2 = stablehlo.while(%i = %zero, %h = %0#1) : tensor<i32>, tensor<2x4xbf16>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %ws, %k, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %g = stablehlo.optimization_barrier %a : tensor<1x4x4xf32>
    %b = stablehlo.reshape %g : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = stablehlo.convert %t : (tensor<4x4xf32>) -> tensor<4x4xbf16>
    %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, tensor<2x4xbf16>
  }
  return %2#1 : tensor<2x4xbf16>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<3x4x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0 = stablehlo.convert %arg0 : (tensor<3x4x4xf32>) -> tensor<3x4x4xbf16>
//     %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2) : tensor<i32>, tensor<2x4xbf16>
//     cond {
//       %c_1 = stablehlo.constant dense<3> : tensor<i32>
//       %3 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %3 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %c_2 = stablehlo.constant dense<0> : tensor<i32>
//       %3 = stablehlo.dynamic_slice %0, %iterArg, %c_2, %c_2, sizes = [1, 4, 4] : (tensor<3x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xbf16>
//       %4 = stablehlo.reshape %3 : (tensor<1x4x4xbf16>) -> tensor<4x4xbf16>
//       %5 = stablehlo.dynamic_slice %arg1, %iterArg, %c_2, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<1x4xf32>) -> tensor<4xf32>
//       %7 = stablehlo.convert %6 : (tensor<4xf32>) -> tensor<4xbf16>
//       %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<4xbf16>) -> tensor<2x4xbf16>
//       %9 = stablehlo.dot_general %iterArg_0, %4, contracting_dims = [1] x [0] : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
//       %10 = stablehlo.add %9, %8 : tensor<2x4xbf16>
//       %11 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       stablehlo.return %11, %10 : tensor<i32>, tensor<2x4xbf16>
//     }
//     %2:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %1#1) : tensor<i32>, tensor<2x4xbf16>
//     cond {
//       %c_1 = stablehlo.constant dense<3> : tensor<i32>
//       %3 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %3 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %c_2 = stablehlo.constant dense<0> : tensor<i32>
//       %c_3 = stablehlo.constant dense<2> : tensor<i32>
//       %3 = stablehlo.subtract %c_3, %iterArg : tensor<i32>
//       %4 = stablehlo.dynamic_slice %0, %3, %c_2, %c_2, sizes = [1, 4, 4] : (tensor<3x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xbf16>
//       %5 = stablehlo.reshape %4 : (tensor<1x4x4xbf16>) -> tensor<4x4xbf16>
//       %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
//       %7 = stablehlo.dot_general %iterArg_0, %6, contracting_dims = [1] x [0] : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
//       %8 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       stablehlo.return %8, %7 : tensor<i32>, tensor<2x4xbf16>
//     }
//     return %2#1 : tensor<2x4xbf16>
//   }
// }
