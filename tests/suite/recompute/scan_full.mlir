// test: recompute named=full
// Two loops over four layers: of what the forward loop stacks nothing is kept. It stacks the layer's input instead, from which the backward loop makes it again, with the layer's parameters at its own index. That one goes from the end, through a wrap-around.
func.func @main(%w: tensor<4x8x8xf32>, %h: tensor<8x3xf32>, %x: tensor<6x8xf32>, %target: tensor<6x3xf32>) -> (tensor<4x8x8xf32>, tensor<8x3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
  %f:5 = stablehlo.while(%i = %zero, %ws = %w, %y = %x, %ns = %empty, %ts = %empty) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
  cond {
    %count = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w1 = stablehlo.dynamic_slice %ws, %i, %o, %o, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %w2 = stablehlo.reshape %w1 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %n = stablehlo.tanh %y : tensor<6x8xf32>
    %u = stablehlo.dot_general %n, %w2, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
    %t = stablehlo.tanh %u : tensor<6x8xf32>
    %y2 = stablehlo.add %y, %t : tensor<6x8xf32>
    %n1 = stablehlo.reshape %n : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %ns2 = stablehlo.dynamic_update_slice %ns, %n1, %i, %o, %o : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
    %t1 = stablehlo.broadcast_in_dim %t, dims = [1, 2] : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %ts2 = stablehlo.dynamic_update_slice %ts, %t1, %i, %o, %o : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %y2, %ns2, %ts2 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
  }
  %z = stablehlo.dot_general %f#2, %h, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
  %dz = stablehlo.subtract %z, %target : tensor<6x3xf32>
  %dh = stablehlo.dot_general %f#2, %dz, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
  %dy0 = stablehlo.dot_general %dz, %h, contracting_dims = [1] x [1] : (tensor<6x3xf32>, tensor<8x3xf32>) -> tensor<6x8xf32>
  %grads = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
  %b:6 = stablehlo.while(%i = %zero, %ws = %w, %dy = %dy0, %ns = %f#3, %ts = %f#4, %dws = %grads) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>
  cond {
    %count = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ones = stablehlo.constant dense<1.0> : tensor<6x8xf32>
    %count = stablehlo.constant dense<4> : tensor<i32>
    %last = stablehlo.constant dense<3> : tensor<i32>
    %back = stablehlo.subtract %last, %i : tensor<i32>
    %below = stablehlo.compare LT, %back, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %over = stablehlo.add %back, %count : tensor<i32>
    %k = stablehlo.select %below, %over, %back : tensor<i1>, tensor<i32>
    %w1 = stablehlo.dynamic_slice %ws, %k, %o, %o, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %w2 = stablehlo.reshape %w1 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %n1 = stablehlo.dynamic_slice %ns, %k, %o, %o, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %n = stablehlo.reshape %n1 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    %t1 = stablehlo.dynamic_slice %ts, %k, %o, %o, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %t = stablehlo.reshape %t1 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    %t2 = stablehlo.multiply %t, %t : tensor<6x8xf32>
    %t3 = stablehlo.subtract %ones, %t2 : tensor<6x8xf32>
    %du = stablehlo.multiply %dy, %t3 : tensor<6x8xf32>
    %dw = stablehlo.dot_general %n, %du, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
    %dn = stablehlo.dot_general %du, %w2, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
    %n2 = stablehlo.multiply %n, %n : tensor<6x8xf32>
    %n3 = stablehlo.subtract %ones, %n2 : tensor<6x8xf32>
    %dn2 = stablehlo.multiply %dn, %n3 : tensor<6x8xf32>
    %dy2 = stablehlo.add %dy, %dn2 : tensor<6x8xf32>
    %dw1 = stablehlo.reshape %dw : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %dws2 = stablehlo.dynamic_update_slice %dws, %dw1, %k, %o, %o : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %dy2, %ns, %ts, %dws2 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>
  }
  %wn = stablehlo.subtract %w, %b#5 : tensor<4x8x8xf32>
  %hn = stablehlo.subtract %h, %dh : tensor<8x3xf32>
  return %wn, %hn : tensor<4x8x8xf32>, tensor<8x3xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x8x8xf32>, %arg1: tensor<8x3xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<6x3xf32>) -> (tensor<4x8x8xf32>, tensor<8x3xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
//     %1:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg2, %iterArg_2 = %0) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<4> : tensor<i32>
//       %10 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %10 : tensor<i1>
//     } do {
//       %c_3 = stablehlo.constant dense<0> : tensor<i32>
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %10 = stablehlo.dynamic_slice %iterArg_0, %iterArg, %c_3, %c_3, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %11 = stablehlo.reshape %10 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %12 = stablehlo.tanh %iterArg_1 : tensor<6x8xf32>
//       %13 = stablehlo.dot_general %12, %11, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//       %14 = stablehlo.tanh %13 : tensor<6x8xf32>
//       %15 = stablehlo.add %iterArg_1, %14 : tensor<6x8xf32>
//       %16 = stablehlo.reshape %12 : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
//       %17 = stablehlo.dynamic_update_slice %iterArg_2, %16, %iterArg, %c_3, %c_3 : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
//       %18 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       stablehlo.return %18, %iterArg_0, %15, %17 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>
//     }
//     %2 = stablehlo.dot_general %1#2, %arg1, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
//     %3 = stablehlo.subtract %2, %arg3 : tensor<6x3xf32>
//     %4 = stablehlo.dot_general %1#2, %3, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
//     %5 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1] : (tensor<6x3xf32>, tensor<8x3xf32>) -> tensor<6x8xf32>
//     %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
//     %7:5 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %5, %iterArg_2 = %1#3, %iterArg_3 = %6) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<4> : tensor<i32>
//       %10 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %10 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %10 = stablehlo.subtract %c_4, %iterArg : tensor<i32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %11 = stablehlo.dynamic_slice %iterArg_0, %10, %c_5, %c_5, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %12 = stablehlo.reshape %11 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %13 = stablehlo.dynamic_slice %iterArg_2, %10, %c_6, %c_6, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
//       %14 = stablehlo.reshape %13 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %c_8 = stablehlo.constant dense<1> : tensor<i32>
//       %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<6x8xf32>
//       %c_10 = stablehlo.constant dense<4> : tensor<i32>
//       %c_11 = stablehlo.constant dense<3> : tensor<i32>
//       %15 = stablehlo.subtract %c_11, %iterArg : tensor<i32>
//       %16 = stablehlo.compare LT, %15, %c_7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       %17 = stablehlo.add %15, %c_10 : tensor<i32>
//       %18 = stablehlo.select %16, %17, %15 : tensor<i1>, tensor<i32>
//       %19 = stablehlo.reshape %11 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %20:2 = stablehlo.optimization_barrier %iterArg_1, %14 : tensor<6x8xf32>, tensor<6x8xf32>
//       %21 = stablehlo.dot_general %20#1, %12, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//       %22 = stablehlo.tanh %21 : tensor<6x8xf32>
//       %23 = stablehlo.multiply %22, %22 : tensor<6x8xf32>
//       %24 = stablehlo.subtract %cst_9, %23 : tensor<6x8xf32>
//       %25 = stablehlo.multiply %iterArg_1, %24 : tensor<6x8xf32>
//       %26 = stablehlo.dot_general %14, %25, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
//       %27 = stablehlo.dot_general %25, %19, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//       %28 = stablehlo.multiply %14, %14 : tensor<6x8xf32>
//       %29 = stablehlo.subtract %cst_9, %28 : tensor<6x8xf32>
//       %30 = stablehlo.multiply %27, %29 : tensor<6x8xf32>
//       %31 = stablehlo.add %iterArg_1, %30 : tensor<6x8xf32>
//       %32 = stablehlo.reshape %26 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %33 = stablehlo.dynamic_update_slice %iterArg_3, %32, %18, %c_7, %c_7 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %34 = stablehlo.add %iterArg, %c_8 : tensor<i32>
//       stablehlo.return %34, %iterArg_0, %31, %iterArg_2, %33 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>
//     }
//     %8 = stablehlo.subtract %arg0, %7#4 : tensor<4x8x8xf32>
//     %9 = stablehlo.subtract %arg1, %4 : tensor<8x3xf32>
//     return %8, %9 : tensor<4x8x8xf32>, tensor<8x3xf32>
//   }
// }
// 0 results differ
