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
