// test: estimate machine=h100:1x8
// Layers in a loop write their gradients to a stack and add up that of a weight they share; a loop over microbatches around
// it adds up both: two sums behind it, and none inside.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%w: tensor<2x1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %v: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %x: tensor<4x32768x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<2x1024x1024xf32>, tensor<1024x1024xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %stack = stablehlo.constant dense<0.0> : tensor<2x1024x1024xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<1024x1024xf32>
  %0:3 = stablehlo.while(%i = %zero, %ws = %stack, %vs = %zeros) : tensor<i32>, tensor<2x1024x1024xf32>, tensor<1024x1024xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %xi = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 32768, 1024] : (tensor<4x32768x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32768x1024xf32>
    %b = stablehlo.reshape %xi : (tensor<1x32768x1024xf32>) -> tensor<32768x1024xf32>
    %1:4 = stablehlo.while(%l = %zero, %h = %b, %wl = %stack, %vl = %zeros) : tensor<i32>, tensor<32768x1024xf32>, tensor<2x1024x1024xf32>, tensor<1024x1024xf32>
    cond {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %on = stablehlo.compare LT, %l, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %on : tensor<i1>
    } do {
      %m = stablehlo.add %l, %one : tensor<i32>
      %row = stablehlo.dynamic_slice %w, %l, %zero, %zero, sizes = [1, 1024, 1024] : (tensor<2x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x1024xf32>
      %wr = stablehlo.reshape %row : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %y = stablehlo.dot_general %h, %wr, contracting_dims = [1] x [0] : (tensor<32768x1024xf32>, tensor<1024x1024xf32>) -> tensor<32768x1024xf32>
      %z = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<32768x1024xf32>, tensor<1024x1024xf32>) -> tensor<32768x1024xf32>
      %gw = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<32768x1024xf32>, tensor<32768x1024xf32>) -> tensor<1024x1024xf32>
      %gv = stablehlo.dot_general %y, %z, contracting_dims = [0] x [0] : (tensor<32768x1024xf32>, tensor<32768x1024xf32>) -> tensor<1024x1024xf32>
      %gr = stablehlo.reshape %gw : (tensor<1024x1024xf32>) -> tensor<1x1024x1024xf32>
      %wn = stablehlo.dynamic_update_slice %wl, %gr, %l, %zero, %zero : (tensor<2x1024x1024xf32>, tensor<1x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1024x1024xf32>
      %vn = stablehlo.add %vl, %gv : tensor<1024x1024xf32>
      stablehlo.return %m, %z, %wn, %vn : tensor<i32>, tensor<32768x1024xf32>, tensor<2x1024x1024xf32>, tensor<1024x1024xf32>
    }
    %wt = stablehlo.add %ws, %1#2 : tensor<2x1024x1024xf32>
    %vt = stablehlo.add %vs, %1#3 : tensor<1024x1024xf32>
    stablehlo.return %j, %wt, %vt : tensor<i32>, tensor<2x1024x1024xf32>, tensor<1024x1024xf32>
  }
  %2 = stablehlo.subtract %w, %0#1 : tensor<2x1024x1024xf32>
  %3 = stablehlo.subtract %v, %0#2 : tensor<1024x1024xf32>
  return %2, %3 : tensor<2x1024x1024xf32>, tensor<1024x1024xf32>
}
// expect:
// compute 1.36 ms
// 2 all_reduce, 21.0 MiB sent, 94 us
// over nvlink: 94 us
