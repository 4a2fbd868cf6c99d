// test: microbatches count=2
// A loop over layers stays a loop within that over microbatches. It carries activations of one microbatch, and stacks
// them; the mask that all turns read in parts is cut before it.
func.func @main(%ws: tensor<3x4x4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<3x4x4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %mask = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %empty = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x8x4xf32>
  %f:5 = stablehlo.while(%i = %c0, %y = %x, %s = %empty, %w = %ws, %k = %mask) : tensor<i32>, tensor<8x4xf32>, tensor<3x8x4xf32>, tensor<3x4x4xf32>, tensor<8x4xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %wi = stablehlo.dynamic_slice %w, %i, %z, %z, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %wl = stablehlo.reshape %wi : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %yi = stablehlo.reshape %y : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %t = stablehlo.dynamic_update_slice %s, %yi, %i, %z, %z : (tensor<3x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32>
    %d = stablehlo.dot_general %y, %wl, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %e = stablehlo.multiply %d, %k : tensor<8x4xf32>
    stablehlo.return %j, %e, %t, %w, %k : tensor<i32>, tensor<8x4xf32>, tensor<3x8x4xf32>, tensor<3x4x4xf32>, tensor<8x4xf32>
  }
  %gs = stablehlo.dot_general %f#2, %f#1, contracting_dims = [1] x [0] : (tensor<3x8x4xf32>, tensor<8x4xf32>) -> tensor<3x4x4xf32>
  %u = stablehlo.subtract %ws, %gs : tensor<3x4x4xf32>
  return %u : tensor<3x4x4xf32>
}
