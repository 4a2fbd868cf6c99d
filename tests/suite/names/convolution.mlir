// test: names
// The gradient of a kernel is summed over the batch by a convolution, over whose windows pixels pass: the batch stays
// the batch, and pixels are what windows slide along.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%k: tensor<3x3x2x4xf32>, %x: tensor<8x6x6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) -> (tensor<3x3x2x4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<8x6x6x4xf32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<8x6x6x4xf32>, tensor<f32>) -> tensor<f32>
  %dy = stablehlo.tanh %y : tensor<8x6x6x4xf32>
  %dk = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x6x2xf32>, tensor<8x6x6x4xf32>) -> tensor<3x3x2x4xf32>
  %new = stablehlo.subtract %k, %dk : tensor<3x3x2x4xf32>
  return %new, %loss : tensor<3x3x2x4xf32>, tensor<f32>
}
// expect:
// data parallel over 8
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, data [b s s -]
