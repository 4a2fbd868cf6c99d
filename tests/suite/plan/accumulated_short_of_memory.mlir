// test: plan machine=h100:1x8 memory=570000000
// With less memory each turn sums what it adds to the shards that are kept.
func.func @step(%w: tensor<4096x4096xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<4096x4096xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<4x32768x4096xf32>) -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4096x4096xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %zeros) : tensor<i32>, tensor<4096x4096xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %xi = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 32768, 4096] : (tensor<4x32768x4096xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32768x4096xf32>
    %b = stablehlo.reshape %xi : (tensor<1x32768x4096xf32>) -> tensor<32768x4096xf32>
    %y = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<32768x4096xf32>, tensor<4096x4096xf32>) -> tensor<32768x4096xf32>
    %g = stablehlo.dot_general %b, %y, contracting_dims = [0] x [0] : (tensor<32768x4096xf32>, tensor<32768x4096xf32>) -> tensor<4096x4096xf32>
    %next = stablehlo.add %sum, %g : tensor<4096x4096xf32>
    stablehlo.return %j, %next : tensor<i32>, tensor<4096x4096xf32>
  }
  %m1 = stablehlo.add %m, %0#1 : tensor<4096x4096xf32>
  %w1 = stablehlo.subtract %w, %m1 : tensor<4096x4096xf32>
  return %w1, %m1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
}
// expect:
// mesh data=8: data parallel over 8; ZeRO-2
// 4.09 ms, of which at most 1.1 % more than the best
// 528.0 MiB of 543.6 MiB
