// test: memory machine=h100:1x8
// Every device holds everything.
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @step(%w1: tensor<4096x16384xbf16> {tf.aliasing_output = 0 : i32}, %w2: tensor<16384x4096xbf16> {tf.aliasing_output = 1 : i32}, %x: tensor<8192x4096xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<4096x16384xbf16>, tensor<16384x4096xbf16>) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8192x4096xbf16>, tensor<4096x16384xbf16>) -> tensor<8192x16384xbf16>
  %t = stablehlo.tanh %h : tensor<8192x16384xbf16>
  %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0] : (tensor<8192x16384xbf16>, tensor<16384x4096xbf16>) -> tensor<8192x4096xbf16>
  %g2 = stablehlo.dot_general %t, %y, contracting_dims = [0] x [0] : (tensor<8192x16384xbf16>, tensor<8192x4096xbf16>) -> tensor<16384x4096xbf16>
  %dt = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<8192x4096xbf16>, tensor<16384x4096xbf16>) -> tensor<8192x16384xbf16>
  %dh = stablehlo.multiply %dt, %t : tensor<8192x16384xbf16>
  %g1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8192x4096xbf16>, tensor<8192x16384xbf16>) -> tensor<4096x16384xbf16>
  %n1 = stablehlo.subtract %w1, %g1 : tensor<4096x16384xbf16>
  %n2 = stablehlo.subtract %w2, %g2 : tensor<16384x4096xbf16>
  return %n1, %n2 : tensor<4096x16384xbf16>, tensor<16384x4096xbf16>
}
// expect:
// 1.0 GiB at line 9, 320.0 MiB of them arguments
// 256.0 MiB %t: tensor<8192x16384xbf16>
// 256.0 MiB %dt: tensor<8192x16384xbf16>
// 128.0 MiB argument %w1: tensor<4096x16384xbf16>
// 128.0 MiB argument %w2: tensor<16384x4096xbf16>
// 128.0 MiB %g2: tensor<16384x4096xbf16>
// 64.0 MiB argument %x: tensor<8192x4096xbf16>
