// test: names
// The caller keeps the cache (`jax.buffer_donor = false`), so it is no state but data like the rest.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%cache: tensor<32x16xf32> {jax.buffer_donor = false}, %w: tensor<8x16xf32>, %x: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<32x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.add %cache, %0 : tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}
// expect:
// data parallel over 8
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// data [b b], parameter, data [b -]
