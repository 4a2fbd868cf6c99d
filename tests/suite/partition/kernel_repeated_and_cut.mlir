// test: partition
// A kernel that is repeated for the groups along one axis and cut along another: the batch has both.
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%x: tensor<12x1x6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}, {}]>}, %k: tensor<1x6xf32>) -> (tensor<2x6x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}, {}]>}) {
  %0 = stablehlo.broadcast_in_dim %k, dims = [1, 2] : (tensor<1x6xf32>) -> tensor<6x1x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<6x1x6xf32>) -> tensor<6x1x3x2xf32>
  %2 = stablehlo.convolution(%x, %1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 6 : i64, feature_group_count = 1 : i64} : (tensor<12x1x6x5xf32>, tensor<6x1x3x2xf32>) -> tensor<2x6x4x4xf32>
  return %2 : tensor<2x6x4x4xf32>
}
// expect:
// warning: `stablehlo.convolution` needs dim 1 of operand 0 whole, which is sharded over y: every device gets 240 B
// all_to_all tensor<2x3x6x5xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// all_to_all tensor<1x3x4x4xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// (tensor<12x1x6x5xf32>, tensor<1x6xf32>) -> (tensor<1x3x4x4xf32>)
