// test: memory machine=h100:1x2
// A stack that a loop fills, to be added to an argument that is given away, lies where that does.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%acc: tensor<64x4096xf32> {jax.buffer_donor = true}, %x: tensor<4096xf32>)
    -> tensor<64x4096xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<64> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %s = %zeros)
      : tensor<i32>, tensor<4096xf32>, tensor<64x4096xf32>
   cond {
    %p = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %g = stablehlo.tanh %h : tensor<4096xf32>
    %part = stablehlo.reshape %g : (tensor<4096xf32>) -> tensor<1x4096xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %part, %i, %zero : (tensor<64x4096xf32>, tensor<1x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %g, %s1 : tensor<i32>, tensor<4096xf32>, tensor<64x4096xf32>
  }
  %1 = stablehlo.add %acc, %0#2 : tensor<64x4096xf32>
  return %1 : tensor<64x4096xf32>
}
// expect:
// 1.0 MiB at line 10, 1.0 MiB of them arguments
// 1.0 MiB argument %acc: tensor<64x4096xf32>
// 16.0 KiB argument %x: tensor<4096xf32>
// 16.0 KiB %h: tensor<4096xf32>
// 4 B %zero: tensor<i32>
// 4 B %one: tensor<i32>
// 4 B %count: tensor<i32>
