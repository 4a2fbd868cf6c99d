// test: partition
// Channels of a depthwise convolution over two axes, one of which is lost in the groups that its result is normed by:
// the gradient of the kernel reads both.
sdy.mesh @mesh = <["data"=2, "model"=3]>
func.func @main(%x: tensor<2x4x4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"data", "model"}]>}, %w: tensor<3x3x1x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"data"}]>}) -> (tensor<3x3x1x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}, {}]>}) {
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<2x4x4x12xf32>, tensor<3x3x1x12xf32>) -> tensor<2x2x2x12xf32>
  %groups = stablehlo.reshape %y : (tensor<2x2x2x12xf32>) -> tensor<2x2x2x4x3xf32>
  %sums = stablehlo.reduce(%groups init: %none) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x2x2x4x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  %apart = stablehlo.reshape %sums : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
  %again = stablehlo.reduce(%apart init: %none) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x1x1x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
  %wide = stablehlo.broadcast_in_dim %again, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x2x2x4x3xf32>
  %normed = stablehlo.add %groups, %wide : tensor<2x2x2x4x3xf32>
  %dy = stablehlo.reshape %normed : (tensor<2x2x2x4x3xf32>) -> tensor<2x2x2x12xf32>
  %dw = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2]} {batch_group_count = 12 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x12xf32>, tensor<2x2x2x12xf32>) -> tensor<3x3x1x12xf32>
  return %dw : tensor<3x3x1x12xf32>
}
// expect:
// warning: `stablehlo.reshape` gathers dim 3 of operand 0 whole, which is sharded over data, model: every device gets 192 B
// all_gather tensor<2x2x2x6xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// all_to_all tensor<1x3x1x6xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// all_gather tensor<1x3x1x12xf32> dense<[[0, 3], [1, 4], [2, 5]]>
// (tensor<2x4x4x2xf32>, tensor<3x3x1x6xf32>) -> (tensor<1x3x1x12xf32>)
