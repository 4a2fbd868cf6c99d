// test: microbatches count=2
// A loop that goes on while the largest of the batch is large takes as many turns as the whole batch does.
func.func @main(%w: tensor<3x5xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x3xf32>, %t: tensor<8x5xf32>) -> tensor<3x5xf32> {
  %rate = stablehlo.constant dense<0.1> : tensor<3x5xf32>
  %large = stablehlo.constant dense<9.0> : tensor<f32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
  %e0 = stablehlo.subtract %y, %t : tensor<8x5xf32>
  %0:2 = stablehlo.while(%most = %large, %c = %e0) : tensor<f32>, tensor<8x5xf32>
  cond {
    %n = stablehlo.constant dense<0.5> : tensor<f32>
    %p = stablehlo.compare GT, %most, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %q = stablehlo.tanh %c : tensor<8x5xf32>
    %least = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.reduce(%q init: %least) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %m, %q : tensor<f32>, tensor<8x5xf32>
  }
  %g = stablehlo.dot_general %x, %0#1, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  %d = stablehlo.multiply %g, %rate : tensor<3x5xf32>
  %nw = stablehlo.subtract %w, %d : tensor<3x5xf32>
  return %nw : tensor<3x5xf32>
}
// expect: line 8: how often this repeats, or which way it goes, depends on the examples
