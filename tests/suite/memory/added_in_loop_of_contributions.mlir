// test: memory machine=h100:1x2
// Zeros are brought to contributions, at which a loop begins to stack: neither they nor the stack are made, each part is added
// to what an outer loop adds up.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<128x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x4096xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<4> : tensor<i32>
  %layers = stablehlo.constant dense<64> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
  %0:2 = stablehlo.while(%m = %zero, %acc = %start) : tensor<i32>, tensor<64x4096xf32>
   cond {
    %p = stablehlo.compare LT, %m, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %zeros = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
    %1:3 = stablehlo.while(%i = %zero, %h = %x, %s = %zeros) : tensor<i32>, tensor<128x4096xf32>, tensor<64x4096xf32>
     cond {
      %p = stablehlo.compare LT, %i, %layers : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %g = stablehlo.tanh %h : tensor<128x4096xf32>
      %sum = stablehlo.reduce(%g init: %none) applies stablehlo.add across dimensions = [0] : (tensor<128x4096xf32>, tensor<f32>) -> tensor<4096xf32>
      %part = stablehlo.reshape %sum : (tensor<4096xf32>) -> tensor<1x4096xf32>
      %s1 = stablehlo.dynamic_update_slice %s, %part, %i, %zero : (tensor<64x4096xf32>, tensor<1x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %g, %s1 : tensor<i32>, tensor<128x4096xf32>, tensor<64x4096xf32>
    }
    %2 = stablehlo.add %acc, %1#2 : tensor<64x4096xf32>
    %n = stablehlo.add %m, %one : tensor<i32>
    stablehlo.return %n, %2 : tensor<i32>, tensor<64x4096xf32>
  }
  return %0#1 : tensor<64x4096xf32>
}
// expect:
// 3.0 MiB at line 27, 1.0 MiB of them arguments
// 1.0 MiB argument %x: tensor<128x4096xf32>
// 1.0 MiB %acc: tensor<64x4096xf32>
// 1.0 MiB %g: tensor<128x4096xf32>
// 16.0 KiB %sum: tensor<4096xf32>
// 4 B %zero: tensor<i32>
// 4 B %one: tensor<i32>
