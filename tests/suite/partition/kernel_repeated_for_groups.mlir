// test: partition
// A kernel that is repeated for all groups: each device has that of its own groups without cutting it out.
sdy.mesh @mesh = <["a"=4]>
func.func @main(%x: tensor<2x4x8x8xf32>, %k: tensor<9x9xf32>) -> (tensor<2x36x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {}, {}]>}) {
  %0 = stablehlo.broadcast_in_dim %k, dims = [1, 2] : (tensor<9x9xf32>) -> tensor<4x9x9xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x9x9xf32>) -> tensor<36x1x3x3xf32>
  %2 = stablehlo.convolution(%x, %1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x4x8x8xf32>, tensor<36x1x3x3xf32>) -> tensor<2x36x6x6xf32>
  return %2 : tensor<2x36x6x6xf32>
}
// expect: (tensor<2x1x8x8xf32>, tensor<9x9xf32>) -> (tensor<2x9x6x6xf32>)
