// test: recompute named=selective
// Of three values that are stacked, two are made again of the layer's input, which is stacked in their place: `1 - n^2` and `n`. What is made of the product is kept.
func.func @main(%w: tensor<4x8x8xf32>, %h: tensor<8x3xf32>, %x: tensor<6x8xf32>, %target: tensor<6x3xf32>) -> (tensor<4x8x8xf32>, tensor<8x3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
  %f:6 = stablehlo.while(%i = %zero, %ws = %w, %y = %x, %ns = %empty, %ts = %empty, %ms = %empty) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
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
    %ones = stablehlo.constant dense<1.0> : tensor<6x8xf32>
    %n2 = stablehlo.multiply %n, %n : tensor<6x8xf32>
    %m = stablehlo.subtract %ones, %n2 : tensor<6x8xf32>
    %m1 = stablehlo.reshape %m : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %ms2 = stablehlo.dynamic_update_slice %ms, %m1, %i, %o, %o : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
    %t2 = stablehlo.multiply %t, %t : tensor<6x8xf32>
    %s = stablehlo.subtract %ones, %t2 : tensor<6x8xf32>
    %t1 = stablehlo.broadcast_in_dim %s, dims = [1, 2] : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %ts2 = stablehlo.dynamic_update_slice %ts, %t1, %i, %o, %o : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %y2, %ns2, %ts2, %ms2 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
  }
  %z = stablehlo.dot_general %f#2, %h, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
  %dz = stablehlo.subtract %z, %target : tensor<6x3xf32>
  %dh = stablehlo.dot_general %f#2, %dz, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
  %dy0 = stablehlo.dot_general %dz, %h, contracting_dims = [1] x [1] : (tensor<6x3xf32>, tensor<8x3xf32>) -> tensor<6x8xf32>
  %grads = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
  %b:7 = stablehlo.while(%i = %zero, %ws = %w, %dy = %dy0, %ns = %f#3, %ts = %f#4, %dws = %grads, %ms = %f#5) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>, tensor<4x6x8xf32>
  cond {
    %count = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
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
    %t3 = stablehlo.reshape %t1 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    %m1 = stablehlo.dynamic_slice %ms, %k, %o, %o, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %n3 = stablehlo.reshape %m1 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    %du = stablehlo.multiply %dy, %t3 : tensor<6x8xf32>
    %dw = stablehlo.dot_general %n, %du, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
    %dn = stablehlo.dot_general %du, %w2, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
    %dn2 = stablehlo.multiply %dn, %n3 : tensor<6x8xf32>
    %dy2 = stablehlo.add %dy, %dn2 : tensor<6x8xf32>
    %dw1 = stablehlo.reshape %dw : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %dws2 = stablehlo.dynamic_update_slice %dws, %dw1, %k, %o, %o : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %dy2, %ns, %ts, %dws2, %ms : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>, tensor<4x6x8xf32>
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
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
//     %2:5 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0, %iterArg_2 = %arg2, %iterArg_3 = %0, %iterArg_4 = %1) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
//     cond {
//       %c_5 = stablehlo.constant dense<4> : tensor<i32>
//       %11 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %11 : tensor<i1>
//     } do {
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %11 = stablehlo.dynamic_slice %iterArg_1, %iterArg, %c_5, %c_5, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %12 = stablehlo.reshape %11 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %13 = stablehlo.tanh %iterArg_2 : tensor<6x8xf32>
//       %14 = stablehlo.dot_general %13, %12, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//       %15 = stablehlo.tanh %14 : tensor<6x8xf32>
//       %16 = stablehlo.add %iterArg_2, %15 : tensor<6x8xf32>
//       %17 = stablehlo.reshape %13 : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
//       %18 = stablehlo.dynamic_update_slice %iterArg_3, %17, %iterArg, %c_5, %c_5 : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
//       %19 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       %20 = stablehlo.reshape %15 : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %21 = stablehlo.dynamic_update_slice %iterArg_4, %20, %iterArg, %c_7, %c_7 : (tensor<4x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x8xf32>
//       stablehlo.return %19, %iterArg_1, %16, %18, %21 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32>
//     }
//     %3 = stablehlo.dot_general %2#2, %arg1, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
//     %4 = stablehlo.subtract %3, %arg3 : tensor<6x3xf32>
//     %5 = stablehlo.dot_general %2#2, %4, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
//     %6 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [1] : (tensor<6x3xf32>, tensor<8x3xf32>) -> tensor<6x8xf32>
//     %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
//     %8:6 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0, %iterArg_2 = %6, %iterArg_3 = %2#3, %iterArg_4 = %7, %iterArg_5 = %2#4) : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>, tensor<4x6x8xf32>
//     cond {
//       %c_6 = stablehlo.constant dense<4> : tensor<i32>
//       %11 = stablehlo.compare LT, %iterArg, %c_6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %11 : tensor<i1>
//     } do {
//       %c_6 = stablehlo.constant dense<3> : tensor<i32>
//       %11 = stablehlo.subtract %c_6, %iterArg : tensor<i32>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %12 = stablehlo.dynamic_slice %iterArg_1, %11, %c_7, %c_7, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
//       %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<6x8xf32>
//       %c_9 = stablehlo.constant dense<0> : tensor<i32>
//       %13 = stablehlo.dynamic_slice %iterArg_3, %11, %c_9, %c_9, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
//       %14 = stablehlo.reshape %13 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %15 = stablehlo.dynamic_slice %iterArg_5, %11, %c_10, %c_10, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
//       %16 = stablehlo.reshape %15 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %c_12 = stablehlo.constant dense<1> : tensor<i32>
//       %c_13 = stablehlo.constant dense<4> : tensor<i32>
//       %c_14 = stablehlo.constant dense<3> : tensor<i32>
//       %17 = stablehlo.subtract %c_14, %iterArg : tensor<i32>
//       %18 = stablehlo.compare LT, %17, %c_11 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       %19 = stablehlo.add %17, %c_13 : tensor<i32>
//       %20 = stablehlo.select %18, %19, %17 : tensor<i1>, tensor<i32>
//       %21 = stablehlo.reshape %12 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
//       %22:2 = stablehlo.optimization_barrier %iterArg_2, %16 : tensor<6x8xf32>, tensor<6x8xf32>
//       %23 = stablehlo.multiply %22#1, %22#1 : tensor<6x8xf32>
//       %24 = stablehlo.subtract %cst_8, %23 : tensor<6x8xf32>
//       %25 = stablehlo.multiply %22#0, %24 : tensor<6x8xf32>
//       %26 = stablehlo.dot_general %14, %25, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
//       %27 = stablehlo.dot_general %25, %21, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//       %28:2 = stablehlo.optimization_barrier %27, %14 : tensor<6x8xf32>, tensor<6x8xf32>
//       %29 = stablehlo.multiply %28#1, %28#1 : tensor<6x8xf32>
//       %30 = stablehlo.subtract %cst_8, %29 : tensor<6x8xf32>
//       %31 = stablehlo.multiply %28#0, %30 : tensor<6x8xf32>
//       %32 = stablehlo.add %iterArg_2, %31 : tensor<6x8xf32>
//       %33 = stablehlo.reshape %26 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
//       %34 = stablehlo.dynamic_update_slice %iterArg_4, %33, %20, %c_11, %c_11 : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
//       %35 = stablehlo.add %iterArg, %c_12 : tensor<i32>
//       stablehlo.return %35, %iterArg_1, %32, %iterArg_3, %34, %iterArg_5 : tensor<i32>, tensor<4x8x8xf32>, tensor<6x8xf32>, tensor<4x6x8xf32>, tensor<4x8x8xf32>, tensor<4x6x8xf32>
//     }
//     %9 = stablehlo.subtract %arg0, %8#4 : tensor<4x8x8xf32>
//     %10 = stablehlo.subtract %arg1, %5 : tensor<8x3xf32>
//     return %9, %10 : tensor<4x8x8xf32>, tensor<8x3xf32>
//   }
// }
// 0 results differ
