// test: names
// A forward pass with a residual connection: what is added to is no state, because the sum is not made from a gradient.
sdy.mesh @mesh = <["data"=2, "model"=2]>
func.func @forward(%up: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %down: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %x: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<64x8xf32> {
  %h = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %a = stablehlo.tanh %h : tensor<64x32xf32>
  %y = stablehlo.dot_general %a, %down, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x8xf32>) -> tensor<64x8xf32>
  %z = stablehlo.add %x, %y : tensor<64x8xf32>
  return %z : tensor<64x8xf32>
}
// expect:
// data parallel over 2, tensor parallel over 2
// dp=2, fsdp=1, tp=2, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, data [b -]
