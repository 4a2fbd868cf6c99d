// test: names
// Nothing is donated: the weight and its momentum are told by the results that update them.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%m: tensor<8x16xf32>, %w: tensor<8x16xf32>, %x: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %y: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %rate = stablehlo.constant dense<0.1> : tensor<8x16xf32>
  %guess = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  %error = stablehlo.subtract %guess, %y : tensor<32x16xf32>
  %turned = stablehlo.dot_general %error, %x, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
  %gradient = stablehlo.transpose %turned, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %new_m = stablehlo.add %m, %gradient : tensor<8x16xf32>
  %change = stablehlo.multiply %rate, %new_m : tensor<8x16xf32>
  %new_w = stablehlo.subtract %w, %change : tensor<8x16xf32>
  return %new_w, %new_m : tensor<8x16xf32>, tensor<8x16xf32>
}
// expect:
// data parallel over 8
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// moment of 1, parameter, data [b -], data [b b]
