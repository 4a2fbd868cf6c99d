// test: partition
// Values of one group are sharded alike, although nothing else ties them: one annotation shards both arguments, and so
// do groups that share a value.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8x4xf32>
  sdy.sharding_group %b group_id=0 : tensor<8x4xf32>
  sdy.sharding_group %b group_id=1 : tensor<8x4xf32>
  sdy.sharding_group %c group_id=1 : tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>
}
// expect:
// all_reduce tensor<4xf32> dense<[[0, 1], [2, 3]]>
// all_reduce tensor<2xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4xf32>, tensor<2xf32>)
