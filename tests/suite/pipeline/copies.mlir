// test: pipeline stages=2 microbatches=4 data=2
// Masters in f32, products in bf16, and in the last layer weights in eight bits with their scale: each stage makes its copies
// once in a step.
func.func @main(%w0: tensor<4x4xf32>, %w1: tensor<4x4xf32>, %w2: tensor<4x4xf32>, %w3: tensor<4x4xf32>, %m0: tensor<4x4xf32>, %m1: tensor<4x4xf32>, %m2: tensor<4x4xf32>, %m3: tensor<4x4xf32>, %x: tensor<8x4xf32>, %target: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %most = stablehlo.constant dense<448.0> : tensor<f32>
  %hb0 = stablehlo.convert %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %wb0 = stablehlo.convert %w0 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %u0 = stablehlo.dot_general %hb0, %wb0, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %t0 = stablehlo.tanh %u0 : tensor<8x4xf32>
  %h0 = stablehlo.add %x, %t0 : tensor<8x4xf32>
  %hb1 = stablehlo.convert %h0 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %wb1 = stablehlo.convert %w1 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %u1 = stablehlo.dot_general %hb1, %wb1, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %t1 = stablehlo.tanh %u1 : tensor<8x4xf32>
  %h1 = stablehlo.add %h0, %t1 : tensor<8x4xf32>
  %hb2 = stablehlo.convert %h1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %wb2 = stablehlo.convert %w2 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %u2 = stablehlo.dot_general %hb2, %wb2, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %t2 = stablehlo.tanh %u2 : tensor<8x4xf32>
  %h2 = stablehlo.add %h1, %t2 : tensor<8x4xf32>
  %hb3 = stablehlo.convert %h2 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %abs = stablehlo.abs %w3 : tensor<4x4xf32>
  %amax = stablehlo.reduce(%abs init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %scale = stablehlo.divide %amax, %most : tensor<f32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %scaled = stablehlo.divide %w3, %scales : tensor<4x4xf32>
  %q = stablehlo.convert %scaled : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FN>
  %wb3 = stablehlo.convert %q : (tensor<4x4xf8E4M3FN>) -> tensor<4x4xbf16>
  %v = stablehlo.dot_general %hb3, %wb3, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %back = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %u3 = stablehlo.multiply %v, %back : tensor<8x4xf32>
  %t3 = stablehlo.tanh %u3 : tensor<8x4xf32>
  %h3 = stablehlo.add %h2, %t3 : tensor<8x4xf32>
  %d4 = stablehlo.subtract %h3, %target : tensor<8x4xf32>
  %q3 = stablehlo.multiply %t3, %t3 : tensor<8x4xf32>
  %s3 = stablehlo.subtract %one, %q3 : tensor<8x4xf32>
  %dt3 = stablehlo.multiply %d4, %s3 : tensor<8x4xf32>
  %db3 = stablehlo.convert %dt3 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %g3 = stablehlo.dot_general %hb3, %db3, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  %p3 = stablehlo.dot_general %db3, %wb3, contracting_dims = [1] x [1] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %r3 = stablehlo.multiply %p3, %back : tensor<8x4xf32>
  %d3 = stablehlo.add %d4, %r3 : tensor<8x4xf32>
  %q2 = stablehlo.multiply %t2, %t2 : tensor<8x4xf32>
  %s2 = stablehlo.subtract %one, %q2 : tensor<8x4xf32>
  %dt2 = stablehlo.multiply %d3, %s2 : tensor<8x4xf32>
  %db2 = stablehlo.convert %dt2 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %g2 = stablehlo.dot_general %hb2, %db2, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  %p2 = stablehlo.dot_general %db2, %wb2, contracting_dims = [1] x [1] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %r2 = stablehlo.add %p2, %p2 : tensor<8x4xf32>
  %d2 = stablehlo.add %d3, %r2 : tensor<8x4xf32>
  %q1 = stablehlo.multiply %t1, %t1 : tensor<8x4xf32>
  %s1 = stablehlo.subtract %one, %q1 : tensor<8x4xf32>
  %dt1 = stablehlo.multiply %d2, %s1 : tensor<8x4xf32>
  %db1 = stablehlo.convert %dt1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %g1 = stablehlo.dot_general %hb1, %db1, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  %p1 = stablehlo.dot_general %db1, %wb1, contracting_dims = [1] x [1] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %r1 = stablehlo.add %p1, %p1 : tensor<8x4xf32>
  %d1 = stablehlo.add %d2, %r1 : tensor<8x4xf32>
  %q0 = stablehlo.multiply %t0, %t0 : tensor<8x4xf32>
  %s0 = stablehlo.subtract %one, %q0 : tensor<8x4xf32>
  %dt0 = stablehlo.multiply %d1, %s0 : tensor<8x4xf32>
  %db0 = stablehlo.convert %dt0 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %g0 = stablehlo.dot_general %hb0, %db0, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  %p0 = stablehlo.dot_general %db0, %wb0, contracting_dims = [1] x [1] : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  %r0 = stablehlo.add %p0, %p0 : tensor<8x4xf32>
  %d0 = stablehlo.add %d1, %r0 : tensor<8x4xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<4x4xf32>
  %mm0 = stablehlo.multiply %rate, %m0 : tensor<4x4xf32>
  %n0 = stablehlo.add %mm0, %g0 : tensor<4x4xf32>
  %l0 = stablehlo.multiply %rate, %n0 : tensor<4x4xf32>
  %o0 = stablehlo.subtract %w0, %l0 : tensor<4x4xf32>
  %mm1 = stablehlo.multiply %rate, %m1 : tensor<4x4xf32>
  %n1 = stablehlo.add %mm1, %g1 : tensor<4x4xf32>
  %l1 = stablehlo.multiply %rate, %n1 : tensor<4x4xf32>
  %o1 = stablehlo.subtract %w1, %l1 : tensor<4x4xf32>
  %mm2 = stablehlo.multiply %rate, %m2 : tensor<4x4xf32>
  %n2 = stablehlo.add %mm2, %g2 : tensor<4x4xf32>
  %l2 = stablehlo.multiply %rate, %n2 : tensor<4x4xf32>
  %o2 = stablehlo.subtract %w2, %l2 : tensor<4x4xf32>
  %mm3 = stablehlo.multiply %rate, %m3 : tensor<4x4xf32>
  %n3 = stablehlo.add %mm3, %g3 : tensor<4x4xf32>
  %l3 = stablehlo.multiply %rate, %n3 : tensor<4x4xf32>
  %o3 = stablehlo.subtract %w3, %l3 : tensor<4x4xf32>
  return %o0, %o1, %o2, %o3, %n0, %n1, %n2, %n3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// expect:
// 0 -> 1: 2 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
