sdy.mesh @mesh = <["x"=8]>
func.func @main(%w0: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 1 : i32}, %w2: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 2 : i32}, %w3: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 3 : i32}, %x: tensor<512x256xf32>, %y: tensor<512x256xf32>) -> (tensor<256x256xf32> {jax.result_info = "result['w0']"}, tensor<256x256xf32> {jax.result_info = "result['w1']"}, tensor<256x256xf32> {jax.result_info = "result['w2']"}, tensor<256x256xf32> {jax.result_info = "result['w3']"}) {
  %z0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %h0 = stablehlo.tanh %z0 : tensor<512x256xf32>
  %z1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %h1 = stablehlo.tanh %z1 : tensor<512x256xf32>
  %z2 = stablehlo.dot_general %h1, %w2, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %h2 = stablehlo.tanh %z2 : tensor<512x256xf32>
  %z3 = stablehlo.dot_general %h2, %w3, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %h3 = stablehlo.tanh %z3 : tensor<512x256xf32>
  %d4 = stablehlo.subtract %h3, %y : tensor<512x256xf32>
  %s3 = stablehlo.multiply %h3, %h3 : tensor<512x256xf32>
  %m3 = stablehlo.multiply %d4, %s3 : tensor<512x256xf32>
  %t3 = stablehlo.subtract %d4, %m3 : tensor<512x256xf32>
  %g3 = stablehlo.dot_general %h2, %t3, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  %d3 = stablehlo.dot_general %t3, %w3, contracting_dims = [1] x [1] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %u3 = stablehlo.subtract %w3, %g3 : tensor<256x256xf32>
  %s2 = stablehlo.multiply %h2, %h2 : tensor<512x256xf32>
  %m2 = stablehlo.multiply %d3, %s2 : tensor<512x256xf32>
  %t2 = stablehlo.subtract %d3, %m2 : tensor<512x256xf32>
  %g2 = stablehlo.dot_general %h1, %t2, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  %d2 = stablehlo.dot_general %t2, %w2, contracting_dims = [1] x [1] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %u2 = stablehlo.subtract %w2, %g2 : tensor<256x256xf32>
  %s1 = stablehlo.multiply %h1, %h1 : tensor<512x256xf32>
  %m1 = stablehlo.multiply %d2, %s1 : tensor<512x256xf32>
  %t1 = stablehlo.subtract %d2, %m1 : tensor<512x256xf32>
  %g1 = stablehlo.dot_general %h0, %t1, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  %d1 = stablehlo.dot_general %t1, %w1, contracting_dims = [1] x [1] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  %u1 = stablehlo.subtract %w1, %g1 : tensor<256x256xf32>
  %s0 = stablehlo.multiply %h0, %h0 : tensor<512x256xf32>
  %m0 = stablehlo.multiply %d1, %s0 : tensor<512x256xf32>
  %t0 = stablehlo.subtract %d1, %m0 : tensor<512x256xf32>
  %g0 = stablehlo.dot_general %x, %t0, contracting_dims = [0] x [0] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
  %u0 = stablehlo.subtract %w0, %g0 : tensor<256x256xf32>
  return %u0, %u1, %u2, %u3 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
}
