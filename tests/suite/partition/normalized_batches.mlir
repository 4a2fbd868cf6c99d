// test: partition
// A batch that is sharded is normalized by what all devices have of it: sums over the batch are sums over devices.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %scale: tensor<6xf32>, %offset: tensor<6xf32>, %g: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.01 : f32, feature_index = 1 : i64} : (tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>)
  %1:3 = "stablehlo.batch_norm_grad"(%x, %scale, %0#1, %0#2, %g) {epsilon = 0.01 : f32, feature_index = 1 : i64} : (tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>)
  return %0#0, %1#0, %1#1, %1#2 : tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<6xf32>
}
// expect:
// all_reduce tensor<6xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<6xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<6xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<6xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<6xf32> dense<[[0, 1, 2, 3]]>
// (tensor<2x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<6xf32>, tensor<6xf32>)
