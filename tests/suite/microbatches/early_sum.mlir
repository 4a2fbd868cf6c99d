// test: microbatches count=2
// A sum over the batch that the next instruction of a loop reads stands in the way.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %f:3 = stablehlo.while(%i = %c0, %v = %w, %y = %x) : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %d = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %g = stablehlo.dot_general %y, %d, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
    %u = stablehlo.subtract %v, %g : tensor<4xf32>
    stablehlo.return %j, %u, %y : tensor<i32>, tensor<4xf32>, tensor<8x4xf32>
  }
  return %f#1 : tensor<4xf32>
}
// expect: line 15: this reads a sum over the batch, in every turn of a loop or in a branch
