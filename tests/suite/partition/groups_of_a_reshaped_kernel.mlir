// test: partition
// A kernel that was reshaped may have its shards along any of several dims; the convolution's groups stay sharded.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
                %w: tensor<3x1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %0 = stablehlo.reshape %w : (tensor<3x1x6xf32>) -> tensor<3x1x6x1xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<3x1x6x1xf32>) -> tensor<3x6x1x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x6x1x1xf32>) -> tensor<3x6x1xf32>
  %3 = stablehlo.convolution(%a, %2) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {pad = [[0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<4x8x6xf32>, tensor<3x6x1xf32>) -> tensor<4x8x6xf32>
  return %3 : tensor<4x8x6xf32>
}
// expect:
// all_to_all tensor<2x8x6xf32> dense<[[0, 1]]>
// (tensor<4x8x3xf32>, tensor<3x1x3xf32>) -> (tensor<2x8x6xf32>)
