// test: names
// The batch is drawn from a key inside of the step: the key has two words and no batch.
sdy.mesh @mesh = <["data"=4]>
func.func @step(%w: tensor<8x16xf32>, %key: tensor<2xui64>) -> tensor<8x16xf32> {
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<32x8xui32>)
  %drawn = stablehlo.convert %bits : (tensor<32x8xui32>) -> tensor<32x8xf32>
  %x = sdy.sharding_constraint %drawn <@mesh, [{"data"}, {}]> : tensor<32x8xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  %dh = stablehlo.tanh %h : tensor<32x16xf32>
  %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<32x8xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %new = stablehlo.subtract %w, %dw : tensor<8x16xf32>
  return %new : tensor<8x16xf32>
}
// expect:
// data parallel over 4
// dp=4, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, data [-]
