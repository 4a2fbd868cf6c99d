// test: memory machine=cpu8:2
// The gradient of a depthwise kernel on CPUs is made of all groups with all others: each device has half of them.
sdy.mesh @mesh = <["x"=2]>
func.func @gradient(%x: tensor<8x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %dy: tensor<8x61x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> (tensor<4x1x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 16 : i64, feature_group_count = 1 : i64} : (tensor<8x64x16xf32>, tensor<8x61x16xf32>) -> tensor<4x1x16xf32>
  return %0 : tensor<4x1x16xf32>
}
// expect:
// 33.4 KiB at line 5, 31.2 KiB of them arguments
// 16.0 KiB argument %x: tensor<8x64x16xf32>
// 15.2 KiB argument %dy: tensor<8x61x16xf32>
// 128 B %0: tensor<4x1x16xf32>
