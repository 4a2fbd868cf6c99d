// test: recompute
// The layer of two loops is one segment: its input, its values that are stacked and those that could be. What is kept counts four times, and takes the time of its copies to a stack and from it.
func.func @main(%w: tensor<4x8192x8192xf32>, %h: tensor<8192x3xf32>, %x: tensor<4096x8192xf32>, %target: tensor<4096x3xf32>) -> (tensor<4x8192x8192xf32>, tensor<8192x3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x4096x8192xf32>
  %f:5 = stablehlo.while(%i = %zero, %ws = %w, %y = %x, %ns = %empty, %ts = %empty) : tensor<i32>, tensor<4x8192x8192xf32>, tensor<4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x4096x8192xf32>
  cond {
    %count = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w1 = stablehlo.dynamic_slice %ws, %i, %o, %o, sizes = [1, 8192, 8192] : (tensor<4x8192x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8192x8192xf32>
    %w2 = stablehlo.reshape %w1 : (tensor<1x8192x8192xf32>) -> tensor<8192x8192xf32>
    %n = stablehlo.tanh %y : tensor<4096x8192xf32>
    %u = stablehlo.dot_general %n, %w2, contracting_dims = [1] x [0] : (tensor<4096x8192xf32>, tensor<8192x8192xf32>) -> tensor<4096x8192xf32>
    %t = stablehlo.tanh %u : tensor<4096x8192xf32>
    %y2 = stablehlo.add %y, %t : tensor<4096x8192xf32>
    %n1 = stablehlo.reshape %n : (tensor<4096x8192xf32>) -> tensor<1x4096x8192xf32>
    %ns2 = stablehlo.dynamic_update_slice %ns, %n1, %i, %o, %o : (tensor<4x4096x8192xf32>, tensor<1x4096x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4096x8192xf32>
    %t1 = stablehlo.broadcast_in_dim %t, dims = [1, 2] : (tensor<4096x8192xf32>) -> tensor<1x4096x8192xf32>
    %ts2 = stablehlo.dynamic_update_slice %ts, %t1, %i, %o, %o : (tensor<4x4096x8192xf32>, tensor<1x4096x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4096x8192xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %y2, %ns2, %ts2 : tensor<i32>, tensor<4x8192x8192xf32>, tensor<4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x4096x8192xf32>
  }
  %z = stablehlo.dot_general %f#2, %h, contracting_dims = [1] x [0] : (tensor<4096x8192xf32>, tensor<8192x3xf32>) -> tensor<4096x3xf32>
  %dz = stablehlo.subtract %z, %target : tensor<4096x3xf32>
  %dh = stablehlo.dot_general %f#2, %dz, contracting_dims = [0] x [0] : (tensor<4096x8192xf32>, tensor<4096x3xf32>) -> tensor<8192x3xf32>
  %dy0 = stablehlo.dot_general %dz, %h, contracting_dims = [1] x [1] : (tensor<4096x3xf32>, tensor<8192x3xf32>) -> tensor<4096x8192xf32>
  %grads = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4x8192x8192xf32>
  %b:6 = stablehlo.while(%i = %zero, %ws = %w, %dy = %dy0, %ns = %f#3, %ts = %f#4, %dws = %grads) : tensor<i32>, tensor<4x8192x8192xf32>, tensor<4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x8192x8192xf32>
  cond {
    %count = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ones = stablehlo.constant dense<1.0> : tensor<4096x8192xf32>
    %count = stablehlo.constant dense<4> : tensor<i32>
    %last = stablehlo.constant dense<3> : tensor<i32>
    %back = stablehlo.subtract %last, %i : tensor<i32>
    %below = stablehlo.compare LT, %back, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %over = stablehlo.add %back, %count : tensor<i32>
    %k = stablehlo.select %below, %over, %back : tensor<i1>, tensor<i32>
    %w1 = stablehlo.dynamic_slice %ws, %k, %o, %o, sizes = [1, 8192, 8192] : (tensor<4x8192x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8192x8192xf32>
    %w2 = stablehlo.reshape %w1 : (tensor<1x8192x8192xf32>) -> tensor<8192x8192xf32>
    %n1 = stablehlo.dynamic_slice %ns, %k, %o, %o, sizes = [1, 4096, 8192] : (tensor<4x4096x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4096x8192xf32>
    %n = stablehlo.reshape %n1 : (tensor<1x4096x8192xf32>) -> tensor<4096x8192xf32>
    %t1 = stablehlo.dynamic_slice %ts, %k, %o, %o, sizes = [1, 4096, 8192] : (tensor<4x4096x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4096x8192xf32>
    %t = stablehlo.reshape %t1 : (tensor<1x4096x8192xf32>) -> tensor<4096x8192xf32>
    %t2 = stablehlo.multiply %t, %t : tensor<4096x8192xf32>
    %t3 = stablehlo.subtract %ones, %t2 : tensor<4096x8192xf32>
    %du = stablehlo.multiply %dy, %t3 : tensor<4096x8192xf32>
    %dw = stablehlo.dot_general %n, %du, contracting_dims = [0] x [0] : (tensor<4096x8192xf32>, tensor<4096x8192xf32>) -> tensor<8192x8192xf32>
    %dn = stablehlo.dot_general %du, %w2, contracting_dims = [1] x [1] : (tensor<4096x8192xf32>, tensor<8192x8192xf32>) -> tensor<4096x8192xf32>
    %n2 = stablehlo.multiply %n, %n : tensor<4096x8192xf32>
    %n3 = stablehlo.subtract %ones, %n2 : tensor<4096x8192xf32>
    %dn2 = stablehlo.multiply %dn, %n3 : tensor<4096x8192xf32>
    %dy2 = stablehlo.add %dy, %dn2 : tensor<4096x8192xf32>
    %dw1 = stablehlo.reshape %dw : (tensor<8192x8192xf32>) -> tensor<1x8192x8192xf32>
    %dws2 = stablehlo.dynamic_update_slice %dws, %dw1, %k, %o, %o : (tensor<4x8192x8192xf32>, tensor<1x8192x8192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8192x8192xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %ws, %dy2, %ns, %ts, %dws2 : tensor<i32>, tensor<4x8192x8192xf32>, tensor<4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x4096x8192xf32>, tensor<4x8192x8192xf32>
  }
  %wn = stablehlo.subtract %w, %b#5 : tensor<4x8192x8192xf32>
  %hn = stablehlo.subtract %h, %dh : tensor<8192x3xf32>
  return %wn, %hn : tensor<4x8192x8192xf32>, tensor<8192x3xf32>
}
// expect:
// 2 segments, 0 bytes between them
// 1207959552 bytes, 1985411 ns: selective
// 671088640 bytes, 6749183 ns: full
