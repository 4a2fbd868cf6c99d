// test: partition
// A kernel whose outputs are sharded by the groups and within them; the batch is, by the groups and by "b".
sdy.mesh @mesh = <["a"=4, "b"=2]>
func.func @main(%x: tensor<4x8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}, {}, {}]>}, %k: tensor<3x3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"a"}]>}) -> (tensor<2x6x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}, {"a"}]>}) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x6x6x8xf32>
  return %0 : tensor<2x6x6x8xf32>
}
// expect: (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> (tensor<1x6x6x2xf32>)
