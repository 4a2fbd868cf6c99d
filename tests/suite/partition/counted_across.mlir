// test: partition
// A count along one dim is the same along the other, which is sharded: its sum is a contribution, and what it begins
// with is counted once.
sdy.mesh @mesh = <["y"=4]>
func.func @main(%a: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<f32>, tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %start = stablehlo.constant dense<0.75> : tensor<f32>
  %count = stablehlo.iota dim = 0 : tensor<4x12xf32>
  %half = stablehlo.slice %count [2:4, 0:12] : (tensor<4x12xf32>) -> tensor<2x12xf32>
  %back = stablehlo.concatenate %half, %half, dim = 0 : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<4x12xf32>
  sdy.sharding_group %back group_id=0 : tensor<4x12xf32>
  sdy.sharding_group %count group_id=0 : tensor<4x12xf32>
  sdy.sharding_group %a group_id=0 : tensor<4x12xf32>
  %sum = stablehlo.reduce(%half init: %start) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x12xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.multiply %a, %back : tensor<4x12xf32>
  return %sum, %r : tensor<f32>, tensor<4x12xf32>
}
// expect:
// all_reduce tensor<f32> dense<[[0, 1, 2, 3]]>
// (tensor<4x3xf32>) -> (tensor<f32>, tensor<4x3xf32>)
