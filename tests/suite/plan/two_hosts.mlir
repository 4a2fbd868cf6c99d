// test: plan machine=h100:2x8
// Weights of this size are shared across hosts too.
func.func @step(%w1: tensor<8192x32768xbf16> {tf.aliasing_output = 0 : i32}, %w2: tensor<32768x8192xbf16> {tf.aliasing_output = 1 : i32}, %x: tensor<8192x8192xbf16>) -> (tensor<8192x32768xbf16>, tensor<32768x8192xbf16>) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8192x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<8192x32768xbf16>
  %t = stablehlo.tanh %h : tensor<8192x32768xbf16>
  %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0] : (tensor<8192x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<8192x8192xbf16>
  %g2 = stablehlo.dot_general %t, %y, contracting_dims = [0] x [0] : (tensor<8192x32768xbf16>, tensor<8192x8192xbf16>) -> tensor<32768x8192xbf16>
  %dt = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<8192x8192xbf16>, tensor<32768x8192xbf16>) -> tensor<8192x32768xbf16>
  %dh = stablehlo.multiply %dt, %t : tensor<8192x32768xbf16>
  %g1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8192x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<8192x32768xbf16>
  %n1 = stablehlo.subtract %w1, %g1 : tensor<8192x32768xbf16>
  %n2 = stablehlo.subtract %w2, %g2 : tensor<32768x8192xbf16>
  return %n1, %n2 : tensor<8192x32768xbf16>, tensor<32768x8192xbf16>
}
// expect:
// mesh model=2,model2=8: tensor parallel over 16
// 2.57 ms, of which at most 0.5 % more than the best
// 416.0 MiB of 70.8 GiB
