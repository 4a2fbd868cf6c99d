// test: phases
// Two layers, a head, a squared error: forward is what lacks the head's weight, and layers are cut where one value crosses.
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
  %a2 = stablehlo.subtract %a, %da : tensor<4x8xf32>
  %b2 = stablehlo.subtract %b, %db : tensor<8x4xf32>
  %c2 = stablehlo.subtract %c, %dc : tensor<4x8xf32>
  %d2 = stablehlo.subtract %d, %dd : tensor<8x4xf32>
  %w2 = stablehlo.subtract %w, %dw : tensor<4x4xf32>
  return %a2, %b2, %c2, %d2, %w2 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// Forward stablehlo.dot_general
// Forward stablehlo.tanh
// Forward stablehlo.dot_general
// Forward stablehlo.add
// Forward stablehlo.dot_general
// Forward stablehlo.tanh
// Forward stablehlo.dot_general
// Forward stablehlo.add
// Turning stablehlo.dot_general
// Turning stablehlo.subtract
// Backward stablehlo.dot_general
// Backward stablehlo.dot_general
// Free stablehlo.constant
// Backward stablehlo.dot_general
// Backward stablehlo.dot_general
// Forward stablehlo.multiply
// Forward stablehlo.subtract
// Backward stablehlo.multiply
// Backward stablehlo.dot_general
// Backward stablehlo.dot_general
// Backward stablehlo.add
// Backward stablehlo.dot_general
// Backward stablehlo.dot_general
// Forward stablehlo.multiply
// Forward stablehlo.subtract
// Backward stablehlo.multiply
// Backward stablehlo.dot_general
// Update stablehlo.subtract
// Update stablehlo.subtract
// Update stablehlo.subtract
// Update stablehlo.subtract
// Update stablehlo.subtract
// Free func.return
// crossing [0, 192, 192, 192, 192, 96, 96, 288, 288, 288, 288, 192, 96]
// segments [0..5, 5..12], layers [0..5, 5..12]
