// test: normal
// A loop over layers, with the parameters cast on the way, and its backward loop with remat as JAX writes it: it reads at 3 - t, through a wrap-around, and the casts that the forward loop has stacked. What it makes again it goes on to make from the stack; twice in one body, once. The last loop goes through tokens.
func.func @main(%w: tensor<4x8x8xf32> {jax.result_info = "w", tf.aliasing_output = 0 : i32}, %x: tensor<2x8xf32>) -> (tensor<4x8x8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
  %nonebf = stablehlo.constant dense<0.0> : tensor<bf16>
  %casts = stablehlo.broadcast_in_dim %nonebf, dims = [] : (tensor<bf16>) -> tensor<4x8x8xbf16>
  %f:5 = stablehlo.while(%i = %zero, %ws = %w, %h = %x, %kept = %zeros, %cast = %casts) : tensor<i32>, tensor<4x8x8xf32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<4> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %below = stablehlo.compare LT, %i, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %over = stablehlo.add %i, %n : tensor<i32>
    %at = stablehlo.select %below, %over, %i : tensor<i1>, tensor<i32>
    %w1 = stablehlo.dynamic_slice %ws, %at, %o, %o, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %w2 = stablehlo.convert %w1 : (tensor<1x8x8xf32>) -> tensor<1x8x8xbf16>
    %cast2 = stablehlo.dynamic_update_slice %cast, %w2, %at, %o, %o : (tensor<4x8x8xbf16>, tensor<1x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xbf16>
    %h1 = stablehlo.reshape %h : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %kept2 = stablehlo.dynamic_update_slice %kept, %h1, %at, %o, %o : (tensor<4x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8xf32>
    %w3 = stablehlo.convert %w2 : (tensor<1x8x8xbf16>) -> tensor<1x8x8xf32>
    %w4 = stablehlo.reshape %w3 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %d = stablehlo.dot_general %h, %w4, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %t = stablehlo.tanh %d : tensor<2x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %t, %kept2, %cast2 : tensor<i32>, tensor<4x8x8xf32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>
  }
  %g0 = stablehlo.cosine %f#2 : tensor<2x8xf32>
  %grads = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
  %b:5 = stablehlo.while(%i = %zero, %g = %g0, %kept = %f#3, %cast = %f#4, %dw = %grads) : tensor<i32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>, tensor<4x8x8xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<4> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r = stablehlo.subtract %n, %i : tensor<i32>
    %q = stablehlo.subtract %r, %one : tensor<i32>
    %below = stablehlo.compare LT, %q, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %over = stablehlo.add %q, %n : tensor<i32>
    %at = stablehlo.select %below, %over, %q : tensor<i1>, tensor<i32>
    %w2 = stablehlo.dynamic_slice %cast, %at, %o, %o, sizes = [1, 8, 8] : (tensor<4x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xbf16>
    %h1 = stablehlo.dynamic_slice %kept, %at, %o, %o, sizes = [1, 2, 8] : (tensor<4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %h2 = stablehlo.reshape %h1 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %w3 = stablehlo.convert %w2 : (tensor<1x8x8xbf16>) -> tensor<1x8x8xf32>
    %w4 = stablehlo.reshape %w3 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %bar:3 = stablehlo.optimization_barrier %h2, %w4, %g : tensor<2x8xf32>, tensor<8x8xf32>, tensor<2x8xf32>
    %d = stablehlo.dot_general %bar#0, %bar#1, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %again = stablehlo.dot_general %h2, %w4, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %t = stablehlo.tanh %d : tensor<2x8xf32>
    %t2 = stablehlo.multiply %t, %again : tensor<2x8xf32>
    %g1 = stablehlo.multiply %bar#2, %t2 : tensor<2x8xf32>
    %dw1 = stablehlo.dot_general %bar#0, %g1, contracting_dims = [0] x [0] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %dw2 = stablehlo.reshape %dw1 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %dws = stablehlo.dynamic_update_slice %dw, %dw2, %at, %o, %o : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %g2 = stablehlo.dot_general %g1, %bar#1, contracting_dims = [1] x [1] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %g2, %kept, %cast, %dws : tensor<i32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>, tensor<4x8x8xf32>
  }
  %new = stablehlo.subtract %w, %b#4 : tensor<4x8x8xf32>
  %start = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %s:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<8xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %row = stablehlo.dynamic_slice %f#2, %i, %o, sizes = [1, 8] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %flat = stablehlo.reshape %row : (tensor<1x8xf32>) -> tensor<8xf32>
    %next = stablehlo.add %sum, %flat : tensor<8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<8xf32>
  }
  return %new, %s#1 : tensor<4x8x8xf32>, tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x8x8xf32> {jax.result_info = "w", tf.aliasing_output = 0 : i32}, %arg1: tensor<2x8xf32>) -> (tensor<4x8x8xf32>, tensor<8xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
//     %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<4x8x8xbf16>
//     %2:4 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg1, %iterArg_2 = %0, %iterArg_3 = %1) : tensor<i32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>
//     cond {
//       %c_4 = stablehlo.constant dense<4> : tensor<i32>
//       %9 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %9 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<0> : tensor<i32>
//       %c_5 = stablehlo.constant dense<4> : tensor<i32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       %10 = stablehlo.add %iterArg, %c_5 : tensor<i32>
//       %11 = stablehlo.select %9, %10, %iterArg : tensor<i1>, tensor<i32>
//       %12 = stablehlo.dynamic_slice %arg0, %11, %c_4, %c_4, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %13 = stablehlo.convert %12 : (tensor<1x8x8xf32>) -> tensor<1x8x8xbf16>
//       %14 = stablehlo.dynamic_update_slice %iterArg_3, %13, %11, %c_4, %c_4 : (tensor<4x8x8xbf16>, tensor<1x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xbf16>
//       %15 = stablehlo.reshape %iterArg_1 : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
//       %16 = stablehlo.dynamic_update_slice %iterArg_2, %15, %11, %c_4, %c_4 : (tensor<4x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8xf32>
//       %17 = stablehlo.convert %13 : (tensor<1x8x8xbf16>) -> tensor<1x8x8xf32>
//       %18 = stablehlo.reshape %17 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %19 = stablehlo.dot_general %iterArg_1, %18, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
//       %20 = stablehlo.tanh %19 : tensor<2x8xf32>
//       %21 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       stablehlo.return %21, %20, %16, %14 : tensor<i32>, tensor<2x8xf32>, tensor<4x2x8xf32>, tensor<4x8x8xbf16>
//     }
//     %3 = stablehlo.cosine %2#1 : tensor<2x8xf32>
//     %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
//     %5:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %3, %iterArg_2 = %4) : tensor<i32>, tensor<2x8xf32>, tensor<4x8x8xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<4> : tensor<i32>
//       %9 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %9 : tensor<i1>
//     } do {
//       %c_3 = stablehlo.constant dense<0> : tensor<i32>
//       %c_4 = stablehlo.constant dense<4> : tensor<i32>
//       %c_5 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.subtract %c_4, %iterArg : tensor<i32>
//       %10 = stablehlo.subtract %9, %c_5 : tensor<i32>
//       %11 = stablehlo.compare LT, %10, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       %12 = stablehlo.add %10, %c_4 : tensor<i32>
//       %13 = stablehlo.select %11, %12, %10 : tensor<i1>, tensor<i32>
//       %14 = stablehlo.dynamic_slice %2#3, %13, %c_3, %c_3, sizes = [1, 8, 8] : (tensor<4x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xbf16>
//       %15 = stablehlo.dynamic_slice %2#2, %13, %c_3, %c_3, sizes = [1, 2, 8] : (tensor<4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
//       %16 = stablehlo.reshape %15 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
//       %17 = stablehlo.convert %14 : (tensor<1x8x8xbf16>) -> tensor<1x8x8xf32>
//       %18 = stablehlo.reshape %17 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %19 = stablehlo.dot_general %16, %18, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
//       %20 = stablehlo.tanh %19 : tensor<2x8xf32>
//       %21 = stablehlo.multiply %20, %19 : tensor<2x8xf32>
//       %22 = stablehlo.multiply %iterArg_1, %21 : tensor<2x8xf32>
//       %23 = stablehlo.dot_general %16, %22, contracting_dims = [0] x [0] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
//       %24 = stablehlo.reshape %23 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %25 = stablehlo.dynamic_update_slice %iterArg_2, %24, %13, %c_3, %c_3 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %26 = stablehlo.dot_general %22, %18, contracting_dims = [1] x [1] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
//       %27 = stablehlo.add %iterArg, %c_5 : tensor<i32>
//       stablehlo.return %27, %26, %25 : tensor<i32>, tensor<2x8xf32>, tensor<4x8x8xf32>
//     }
//     %6 = stablehlo.subtract %arg0, %5#2 : tensor<4x8x8xf32>
//     %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
//     %8:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %7) : tensor<i32>, tensor<8xf32>
//     cond {
//       %c_2 = stablehlo.constant dense<2> : tensor<i32>
//       %9 = stablehlo.compare LT, %iterArg, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %9 : tensor<i1>
//     } do {
//       %c_2 = stablehlo.constant dense<0> : tensor<i32>
//       %c_3 = stablehlo.constant dense<1> : tensor<i32>
//       %9 = stablehlo.dynamic_slice %2#1, %iterArg, %c_2, sizes = [1, 8] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
//       %10 = stablehlo.reshape %9 : (tensor<1x8xf32>) -> tensor<8xf32>
//       %11 = stablehlo.add %iterArg_1, %10 : tensor<8xf32>
//       %12 = stablehlo.add %iterArg, %c_3 : tensor<i32>
//       stablehlo.return %12, %11 : tensor<i32>, tensor<8xf32>
//     }
//     return %6, %8#1 : tensor<4x8x8xf32>, tensor<8xf32>
//   }
// }
// guarded: kept reshape, reshape, carried 1; recomputed nothing
// layer loop of 4: carries [Counter, Chain, Stack, Stack]
//   Read 1 of argument 0 along dim 0 at 1 * t + 0
//   Write 1 of carried 3 along dim 0 at 1 * t + 0
//   Write 1 of carried 2 along dim 0 at 1 * t + 0
// layer loop of 4: carries [Counter, Chain, Stack]
//   Read 1 of while:3 along dim 0 at -1 * t + 3
//   Read 1 of while:2 along dim 0 at -1 * t + 3
//   Write 1 of carried 2 along dim 0 at -1 * t + 3
// loop of 2: carries [Counter, Chain]
//   Read 1 of while:1 along dim 0 at 1 * t + 0
