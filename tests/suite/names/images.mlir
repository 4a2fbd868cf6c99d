// test: names
// Windows slide over images that are split.
sdy.mesh @mesh = <["rows"=4]>
func.func @forward(%k: tensor<3x3x2x8xf32>, %w: tensor<8x8xf32>, %x: tensor<2x16x16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"rows"}, {}, {}]>}) -> tensor<2x16x16x8xf32> {
  %h = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x2xf32>, tensor<3x3x2x8xf32>) -> tensor<2x16x16x8xf32>
  %y = stablehlo.dot_general %h, %w, contracting_dims = [3] x [0] : (tensor<2x16x16x8xf32>, tensor<8x8xf32>) -> tensor<2x16x16x8xf32>
  return %y : tensor<2x16x16x8xf32>
}
// expect:
// spatial parallel over 4
// dp=1, fsdp=1, tp=1, sp=1, cp=4, ep=1, zero=0
// parameter, parameter, data [b s s -]
