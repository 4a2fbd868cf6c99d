// test: names
// The same where nothing trains: no argument has the dim that passes through all products, so that weights are weights.
sdy.mesh @mesh = <["data"=4]>
func.func @sample(%up: tensor<8x16xf32>, %down: tensor<16x8xf32>, %key: tensor<2xui64>) -> tensor<32x8xf32> {
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<32x8xui32>)
  %drawn = stablehlo.convert %bits : (tensor<32x8xui32>) -> tensor<32x8xf32>
  %x = sdy.sharding_constraint %drawn <@mesh, [{"data"}, {}]> : tensor<32x8xf32>
  %h = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  %a = stablehlo.tanh %h : tensor<32x16xf32>
  %y = stablehlo.dot_general %a, %down, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}
// expect:
// data parallel over 4
// dp=4, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, data [-]
