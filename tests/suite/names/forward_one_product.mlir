// test: names
// One product says nothing of which operand is the weight; by convention it stands on the right.
sdy.mesh @mesh = <["data"=8]>
func.func @forward(%w: tensor<8x8xf32>, %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<16x8xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
// expect:
// data parallel over 8
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, data [b -]
