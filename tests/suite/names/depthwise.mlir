// test: names
// Channels of depthwise convolutions are no experts, however small the images: each has no matrix, but a window.
sdy.mesh @mesh = <["model"=4]>
func.func @forward(%k: tensor<3x3x1x8xf32>, %w: tensor<8x8xf32>, %x: tensor<16x1x1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"model"}]>}) -> tensor<16x1x1x8xf32> {
  %h = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<16x1x1x8xf32>, tensor<3x3x1x8xf32>) -> tensor<16x1x1x8xf32>
  %y = stablehlo.dot_general %h, %w, contracting_dims = [3] x [0] : (tensor<16x1x1x8xf32>, tensor<8x8xf32>) -> tensor<16x1x1x8xf32>
  return %y : tensor<16x1x1x8xf32>
}
// expect:
// tensor parallel over 4
// dp=1, fsdp=1, tp=4, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, data [b - - -]
