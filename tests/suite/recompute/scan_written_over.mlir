// test: recompute named=full
// The backward loop writes over a stack of the forward loop before it has read all of it: what it reads is not what was
// stacked.
func.func @main(%w: tensor<4x8x8xf32> {tf.aliasing_output = 0 : i32}, %h: tensor<8x8xf32>, %tgt: tensor<8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4x8x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %s0 = stablehlo.constant dense<0.0> : tensor<4x8x8xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<4x8x8xf32>
  %0:4 = stablehlo.while(%i = %zero, %x = %h, %sx = %s0, %sa = %s0) : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %wrp = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %wr = stablehlo.reshape %wrp : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %y = stablehlo.dot %x, %wr : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %a = stablehlo.tanh %y : tensor<8x8xf32>
    %txq = stablehlo.reshape %x : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %tx = stablehlo.dynamic_update_slice %sx, %txq, %i, %zero, %zero : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %taq = stablehlo.reshape %a : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %ta = stablehlo.dynamic_update_slice %sa, %taq, %i, %zero, %zero : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a, %tx, %ta : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  }
  %e = stablehlo.subtract %0#1, %tgt : tensor<8x8xf32>
  %1:5 = stablehlo.while(%k = %zero, %dy = %e, %ux = %0#2, %ua = %0#3, %g = %s0) : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %m = stablehlo.subtract %last, %k : tensor<i32>
    %xrp = stablehlo.dynamic_slice %ux, %m, %zero, %zero, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %xr = stablehlo.reshape %xrp : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %arp = stablehlo.dynamic_slice %ua, %m, %zero, %zero, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %ar = stablehlo.reshape %arp : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %wrp = stablehlo.dynamic_slice %w, %m, %zero, %zero, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %wr = stablehlo.reshape %wrp : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %sq = stablehlo.multiply %ar, %ar : tensor<8x8xf32>
    %om = stablehlo.subtract %ones, %sq : tensor<8x8xf32>
    %da = stablehlo.multiply %dy, %om : tensor<8x8xf32>
    %dw = stablehlo.dot_general %xr, %da, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %dx = stablehlo.dot_general %da, %wr, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %ggq = stablehlo.reshape %dw : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %gg = stablehlo.dynamic_update_slice %g, %ggq, %m, %zero, %zero : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %vxq = stablehlo.reshape %dx : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %vx = stablehlo.dynamic_update_slice %ux, %vxq, %k, %zero, %zero : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %j = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %j, %dx, %vx, %ua, %gg : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  }
  %gr = stablehlo.multiply %1#4, %rate : tensor<4x8x8xf32>
  %nw = stablehlo.subtract %w, %gr : tensor<4x8x8xf32>
  return %nw, %1#2 : tensor<4x8x8xf32>, tensor<4x8x8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4x8x8xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<3> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8x8xf32>
//     %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x8xf32>
//     %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<4x8x8xf32>
//     %0:4 = stablehlo.while(%iterArg = %c, %iterArg_4 = %arg1, %iterArg_5 = %cst, %iterArg_6 = %cst) : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
//     cond {
//       %c_7 = stablehlo.constant dense<4> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.dynamic_slice %arg0, %iterArg, %c, %c, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %6 = stablehlo.reshape %5 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %7 = stablehlo.dot %iterArg_4, %6 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
//       %8 = stablehlo.tanh %7 : tensor<8x8xf32>
//       %9 = stablehlo.reshape %iterArg_4 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %10 = stablehlo.dynamic_update_slice %iterArg_5, %9, %iterArg, %c, %c : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %11 = stablehlo.reshape %8 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %12 = stablehlo.dynamic_update_slice %iterArg_6, %11, %iterArg, %c, %c : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %13 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %13, %8, %10, %12 : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
//     }
//     %1 = stablehlo.subtract %0#1, %arg2 : tensor<8x8xf32>
//     %2:5 = stablehlo.while(%iterArg = %c, %iterArg_4 = %1, %iterArg_5 = %0#2, %iterArg_6 = %0#3, %iterArg_7 = %cst) : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<4> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %c_8 = stablehlo.constant dense<3> : tensor<i32>
//       %5 = stablehlo.subtract %c_8, %iterArg : tensor<i32>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %iterArg_6, %5, %c_9, %c_9, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %7 = stablehlo.reshape %6 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %8 = stablehlo.subtract %c_1, %iterArg : tensor<i32>
//       %9 = stablehlo.dynamic_slice %iterArg_5, %8, %c, %c, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %10 = stablehlo.reshape %9 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %11:3 = stablehlo.optimization_barrier %iterArg_4, %arg0, %c : tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<i32>
//       %12 = stablehlo.dynamic_slice %11#1, %5, %11#2, %11#2, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %13 = stablehlo.reshape %12 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %14 = stablehlo.multiply %7, %7 : tensor<8x8xf32>
//       %15 = stablehlo.subtract %cst_2, %14 : tensor<8x8xf32>
//       %16 = stablehlo.multiply %iterArg_4, %15 : tensor<8x8xf32>
//       %17 = stablehlo.dot_general %10, %16, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
//       %18 = stablehlo.dot_general %16, %13, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
//       %19 = stablehlo.reshape %17 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %20 = stablehlo.dynamic_update_slice %iterArg_7, %19, %8, %c, %c : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %21 = stablehlo.reshape %18 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %22 = stablehlo.dynamic_update_slice %iterArg_5, %21, %iterArg, %c, %c : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %23 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %23, %18, %22, %iterArg_6, %20 : tensor<i32>, tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
//     }
//     %3 = stablehlo.multiply %2#4, %cst_3 : tensor<4x8x8xf32>
//     %4 = stablehlo.subtract %arg0, %3 : tensor<4x8x8xf32>
//     return %4, %2#2 : tensor<4x8x8xf32>, tensor<4x8x8xf32>
//   }
// }
// 0 results differ
