// test: microbatches count=2
// What has side effects in a loop would run in every microbatch.
func.func @main(%w: tensor<3x5xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x3xf32>, %t: tensor<8x5xf32>) -> tensor<3x5xf32> {
  %rate = stablehlo.constant dense<0.1> : tensor<3x5xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
  %e0 = stablehlo.subtract %y, %t : tensor<8x5xf32>
  %0:2 = stablehlo.while(%i = %zero, %c = %e0) : tensor<i32>, tensor<8x5xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.custom_call @log(%i) {has_side_effect = true} : (tensor<i32>) -> ()
    %q = stablehlo.tanh %c : tensor<8x5xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q : tensor<i32>, tensor<8x5xf32>
  }
  %g = stablehlo.dot_general %x, %0#1, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  %d = stablehlo.multiply %g, %rate : tensor<3x5xf32>
  %nw = stablehlo.subtract %w, %d : tensor<3x5xf32>
  return %nw : tensor<3x5xf32>
}
// expect: line 15: this has an effect of its own, and would run more than once
