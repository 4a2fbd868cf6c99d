// test: stages count=2 stages=2
// Clipping by the norm of all gradients: squared norms of round 0 are handed over, and round 1 updates.
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x8xf32>, %d: tensor<8x4xf32>, %w: tensor<4x4xf32>, %x: tensor<6x4xf32>, %target: tensor<6x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>) {
  %u1 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %t1 = stablehlo.tanh %u1 : tensor<6x8xf32>
  %o1 = stablehlo.dot_general %t1, %b, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %h1 = stablehlo.add %x, %o1 : tensor<6x4xf32>
  %u2 = stablehlo.dot_general %h1, %c, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %t2 = stablehlo.tanh %u2 : tensor<6x8xf32>
  %o2 = stablehlo.dot_general %t2, %d, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %h2 = stablehlo.add %h1, %o2 : tensor<6x4xf32>
  %y = stablehlo.dot_general %h2, %w, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %dy = stablehlo.subtract %y, %target : tensor<6x4xf32>
  %dw = stablehlo.dot_general %h2, %dy, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %dh2 = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<6x8xf32>
  %dd = stablehlo.dot_general %t2, %dh2, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %dt2 = stablehlo.dot_general %dh2, %d, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %q2 = stablehlo.multiply %t2, %t2 : tensor<6x8xf32>
  %s2 = stablehlo.subtract %one, %q2 : tensor<6x8xf32>
  %du2 = stablehlo.multiply %dt2, %s2 : tensor<6x8xf32>
  %dc = stablehlo.dot_general %h1, %du2, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %dx2 = stablehlo.dot_general %du2, %c, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
  %dh1 = stablehlo.add %dh2, %dx2 : tensor<6x4xf32>
  %db = stablehlo.dot_general %t1, %dh1, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %dt1 = stablehlo.dot_general %dh1, %b, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %q1 = stablehlo.multiply %t1, %t1 : tensor<6x8xf32>
  %s1 = stablehlo.subtract %one, %q1 : tensor<6x8xf32>
  %du1 = stablehlo.multiply %dt1, %s1 : tensor<6x8xf32>
  %da = stablehlo.dot_general %x, %du1, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sqa = stablehlo.multiply %da, %da : tensor<4x8xf32>
  %na = stablehlo.reduce(%sqa init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %sqb = stablehlo.multiply %db, %db : tensor<8x4xf32>
  %nb = stablehlo.reduce(%sqb init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %tb = stablehlo.add %na, %nb : tensor<f32>
  %sqc = stablehlo.multiply %dc, %dc : tensor<4x8xf32>
  %nc = stablehlo.reduce(%sqc init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %tc = stablehlo.add %tb, %nc : tensor<f32>
  %sqd = stablehlo.multiply %dd, %dd : tensor<8x4xf32>
  %nd = stablehlo.reduce(%sqd init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %td = stablehlo.add %tc, %nd : tensor<f32>
  %sqw = stablehlo.multiply %dw, %dw : tensor<4x4xf32>
  %nw = stablehlo.reduce(%sqw init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %tw = stablehlo.add %td, %nw : tensor<f32>
  %scale = stablehlo.rsqrt %tw : tensor<f32>
  %sa = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %ga = stablehlo.multiply %da, %sa : tensor<4x8xf32>
  %sb = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %gb = stablehlo.multiply %db, %sb : tensor<8x4xf32>
  %sc = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %gc = stablehlo.multiply %dc, %sc : tensor<4x8xf32>
  %sd = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %gd = stablehlo.multiply %dd, %sd : tensor<8x4xf32>
  %sw = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %gw = stablehlo.multiply %dw, %sw : tensor<4x4xf32>
  %a2 = stablehlo.subtract %a, %ga : tensor<4x8xf32>
  %b2 = stablehlo.subtract %b, %gb : tensor<8x4xf32>
  %c2 = stablehlo.subtract %c, %gc : tensor<4x8xf32>
  %d2 = stablehlo.subtract %d, %gd : tensor<8x4xf32>
  %w2 = stablehlo.subtract %w, %gw : tensor<4x4xf32>
  return %a2, %b2, %c2, %d2, %w2 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// cut at [5]
// - stablehlo.reshape
// - stablehlo.constant
// - stablehlo.dynamic_slice
// - stablehlo.reshape
// 0 Forward stablehlo.dot_general
// 0 Forward stablehlo.tanh
// 0 Forward stablehlo.dot_general
// 1 Forward stablehlo.add
// 1 Forward stablehlo.dot_general
// 1 Forward stablehlo.tanh
// 1 Forward stablehlo.dot_general
// 1 Forward stablehlo.add
// 1 InputGradient stablehlo.dot_general
// - stablehlo.reshape
// - stablehlo.constant
// - stablehlo.dynamic_slice
// - stablehlo.reshape
// 1 InputGradient stablehlo.subtract
// 1 WeightGradient stablehlo.dot_general
// 1 InputGradient stablehlo.dot_general
// 1 WeightGradient stablehlo.dot_general
// 1 InputGradient stablehlo.dot_general
// 1 Forward stablehlo.multiply
// - stablehlo.constant
// 1 Forward stablehlo.subtract
// 1 InputGradient stablehlo.multiply
// 1 WeightGradient stablehlo.dot_general
// 1 InputGradient stablehlo.dot_general
// 1 InputGradient stablehlo.add
// 0 WeightGradient stablehlo.dot_general
// 0 WeightGradient stablehlo.dot_general
// 0 WeightGradient stablehlo.multiply
// 0 WeightGradient stablehlo.subtract
// 0 WeightGradient stablehlo.multiply
// 0 WeightGradient stablehlo.dot_general
// - stablehlo.constant
// - stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 1 WeightGradient stablehlo.add
// 0 WeightGradient stablehlo.add
// 0 WeightGradient stablehlo.add
// update of stage 0 in round 0: stablehlo.multiply
// update of stage 0 in round 0: stablehlo.reduce
// update of stage 0 in round 0: stablehlo.multiply
// update of stage 0 in round 0: stablehlo.reduce
// update of whoever reads it: stablehlo.add
// update of stage 1 in round 0: stablehlo.multiply
// update of stage 1 in round 0: stablehlo.reduce
// update of whoever reads it: stablehlo.add
// update of stage 1 in round 0: stablehlo.multiply
// update of stage 1 in round 0: stablehlo.reduce
// update of whoever reads it: stablehlo.add
// update of whoever reads it: stablehlo.multiply
// update of whoever reads it: stablehlo.reduce
// update of whoever reads it: stablehlo.add
// update of whoever reads it: stablehlo.rsqrt
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of stage 0 in round 1: stablehlo.multiply
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of stage 0 in round 1: stablehlo.multiply
// update of stage 1 in round 1: stablehlo.multiply
// update of stage 1 in round 1: stablehlo.multiply
// update of whoever reads it: stablehlo.broadcast_in_dim
// update of whoever reads it: stablehlo.multiply
// update of stage 0 in round 1: stablehlo.subtract
// update of stage 0 in round 1: stablehlo.subtract
// update of stage 1 in round 1: stablehlo.subtract
// update of stage 1 in round 1: stablehlo.subtract
// update of whoever reads it: stablehlo.subtract
// 0F0 v29:0>1:0 0F1 v29:0>1:1 v55:1>0:0 v55:1>0:1 0B0 0B1 a0:1>0 0U0 v102:0>1 v107:0>1 v113:1>0 v119:1>0 0U1
// v29:0>1:0 v29:0>1:1 1F0 1F1 1I0 v55:1>0:0 1I1 v55:1>0:1 1W0 1W1 a0:1>0 1U0 v102:0>1 v107:0>1 v113:1>0 v119:1>0 1U1
