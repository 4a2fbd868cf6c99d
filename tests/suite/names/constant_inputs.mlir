// test: names
// A product of constants has the batch too, and its gradient is summed over it: that does not make it a dim of weights.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%a: tensor<16x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>, %x: tensor<8x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<16x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %times = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %t = stablehlo.dot_general %times, %a, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %u = stablehlo.tanh %t : tensor<8x4xf32>
  %s = stablehlo.dot_general %u, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %scale = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x6x4xf32>
  %h = stablehlo.multiply %x, %scale : tensor<8x6x4xf32>
  %y = stablehlo.dot_general %h, %o, contracting_dims = [2] x [0] : (tensor<8x6x4xf32>, tensor<4x4xf32>) -> tensor<8x6x4xf32>
  %do = stablehlo.dot_general %h, %y, contracting_dims = [0, 1] x [0, 1] : (tensor<8x6x4xf32>, tensor<8x6x4xf32>) -> tensor<4x4xf32>
  %dh = stablehlo.dot_general %y, %o, contracting_dims = [2] x [1] : (tensor<8x6x4xf32>, tensor<4x4xf32>) -> tensor<8x6x4xf32>
  %dscale = stablehlo.multiply %dh, %x : tensor<8x6x4xf32>
  %ds = stablehlo.reduce(%dscale init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %db = stablehlo.dot_general %u, %ds, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %du = stablehlo.dot_general %ds, %b, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %da = stablehlo.dot_general %times, %du, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %new_a = stablehlo.subtract %a, %da : tensor<16x4xf32>
  %new_b = stablehlo.subtract %b, %db : tensor<4x4xf32>
  %new_o = stablehlo.subtract %o, %do : tensor<4x4xf32>
  return %new_a, %new_b, %new_o : tensor<16x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// expect:
// data parallel over 8
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, parameter, data [b b -]
