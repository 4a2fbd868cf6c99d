// test: partition
// Members that are annotated differently stay what they are; what reads them does so in one sharding.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  sdy.sharding_group %a group_id=0 : tensor<8x4xf32>
  sdy.sharding_group %b group_id=0 : tensor<8x4xf32>
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.exponential %b : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// all_gather tensor<8x2xf32> dense<[[0, 2], [1, 3]]>
// all_to_all tensor<4x4xf32> dense<[[0, 1], [2, 3]]>
// (tensor<4x4xf32>, tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>)
