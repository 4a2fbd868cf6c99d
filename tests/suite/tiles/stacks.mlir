// test: tiles count=4 possible
// What a loop keeps of its scores lies in a stack: the scores run in tiles, what puts them into the stack does not.
func.func @main(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>) -> (tensor<3x64x64xf32>, tensor<64x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<3x64x64xf32>
  %r:3 = stablehlo.while(%i = %zero, %h = %q, %stack = %none) : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.dot_general %h, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
    %p = stablehlo.tanh %s : tensor<64x64xf32>
    %e = stablehlo.dot_general %p, %k, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
    %u = stablehlo.dot_general %e, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
    %v = stablehlo.sine %u : tensor<64x64xf32>
    %n = stablehlo.dot_general %v, %k, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
    %part = stablehlo.reshape %p : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %put = stablehlo.dynamic_update_slice %stack, %part, %i, %zero, %zero : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %n, %put : tensor<i32>, tensor<64x4xf32>, tensor<3x64x64xf32>
  }
  return %r#2, %r#1 : tensor<3x64x64xf32>, tensor<64x4xf32>
}
