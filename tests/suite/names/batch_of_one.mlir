// test: names
// One example of many tokens: what passes through attention is contracted there itself, so that it is no batch.
sdy.mesh @mesh = <["x"=4]>
func.func @forward(%q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %v: tensor<8x8xf32>, %o: tensor<8x8xf32>, %x: tensor<1x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<1x16x8xf32> {
  %qs = stablehlo.dot_general %x, %q, contracting_dims = [2] x [0] : (tensor<1x16x8xf32>, tensor<8x8xf32>) -> tensor<1x16x8xf32>
  %ks = stablehlo.dot_general %x, %k, contracting_dims = [2] x [0] : (tensor<1x16x8xf32>, tensor<8x8xf32>) -> tensor<1x16x8xf32>
  %vs = stablehlo.dot_general %x, %v, contracting_dims = [2] x [0] : (tensor<1x16x8xf32>, tensor<8x8xf32>) -> tensor<1x16x8xf32>
  %scores = stablehlo.dot_general %qs, %ks, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x16x8xf32>, tensor<1x16x8xf32>) -> tensor<1x16x16xf32>
  %shares = stablehlo.logistic %scores : tensor<1x16x16xf32>
  %mixed = stablehlo.dot_general %shares, %vs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x16x16xf32>, tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
  %y = stablehlo.dot_general %mixed, %o, contracting_dims = [2] x [0] : (tensor<1x16x8xf32>, tensor<8x8xf32>) -> tensor<1x16x8xf32>
  %sum = stablehlo.add %x, %y : tensor<1x16x8xf32>
  return %sum : tensor<1x16x8xf32>
}
// expect:
// context parallel over 4
// dp=1, fsdp=1, tp=1, sp=1, cp=4, ep=1, zero=0
// parameter, parameter, parameter, parameter, data [b s -]
