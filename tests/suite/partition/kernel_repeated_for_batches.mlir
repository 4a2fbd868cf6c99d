// test: partition
// A kernel that is repeated for all groups of the batch: each device has that of its own groups without cutting it out.
sdy.mesh @mesh = <["a"=4]>
func.func @main(%x: tensor<12x3x6x5xf32>, %k: tensor<6x6xf32>) -> (tensor<2x12x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {}, {}]>}) {
  %0 = stablehlo.broadcast_in_dim %k, dims = [1, 2] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<6x6x6xf32>) -> tensor<12x3x3x2xf32>
  %2 = stablehlo.convolution(%x, %1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 6 : i64, feature_group_count = 1 : i64} : (tensor<12x3x6x5xf32>, tensor<12x3x3x2xf32>) -> tensor<2x12x4x4xf32>
  return %2 : tensor<2x12x4x4xf32>
}
// expect: (tensor<6x3x6x5xf32>, tensor<6x6xf32>) -> (tensor<2x3x4x4xf32>)
