// test: transform parameters=2
// What takes more bytes than the weights that it is made of stays in the loop, and so does what follows from the number of
// the layer, or from what a layer before made.
func.func @main(%ws: tensor<3x4x4xbf16>, %vs: tensor<3x4x4xf32>, %x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<2x4xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %a = stablehlo.dynamic_slice %ws, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xbf16>
    %b = stablehlo.reshape %a : (tensor<1x4x4xbf16>) -> tensor<4x4xbf16>
    %w = stablehlo.convert %b : (tensor<4x4xbf16>) -> tensor<4x4xf32>
    %e = stablehlo.exponential %w : tensor<4x4xf32>
    %c = stablehlo.dynamic_slice %vs, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %d = stablehlo.reshape %c : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %n = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %m = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %v = stablehlo.multiply %d, %m : tensor<4x4xf32>
    %y = stablehlo.dot_general %h, %e, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %z = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2x4xf32>
  }
  return %0#1 : tensor<2x4xf32>
}
// expect: nothing to do
