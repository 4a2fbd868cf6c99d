// test: names
// The halves of an axis do different things, and the first of them is used for weights besides: an axis counts once.
sdy.mesh @mesh = <["x"=4]>
func.func @forward(%up: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(2)2}]>}, %down: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {}]>}, %last: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}) -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %h = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %a = stablehlo.tanh %h : tensor<64x32xf32>
  %y = stablehlo.dot_general %a, %down, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x8xf32>) -> tensor<64x8xf32>
  %whole = sdy.sharding_constraint %y <@mesh, [{}, {}]> : tensor<64x8xf32>
  %z = stablehlo.dot_general %whole, %last, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  return %z : tensor<64x32xf32>
}
// expect:
// data parallel over 2 (besides tensor parallel), tensor parallel over 2
// dp=2, fsdp=1, tp=2, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, parameter, data [b -]
