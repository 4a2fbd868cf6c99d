// test: partition ids=partition
// As partitions: every collective has a channel, and devices number themselves by partition_id.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// expect:
// reduce_scatter tensor<2x6xf32> dense<[[3, 1], [0, 2]]> #stablehlo.channel_handle<handle = 1, type = 1>
// collective_permute tensor<2x6xf32> dense<[[3, 3], [0, 1], [1, 0], [2, 2]]> #stablehlo.channel_handle<handle = 2, type = 1>
// (tensor<4x2xf32>, tensor<2x6xf32>) -> (tensor<2x6xf32>)
