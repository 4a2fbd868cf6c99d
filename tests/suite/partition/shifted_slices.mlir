// test: partition
// Parts of a sharded dim are sharded too as long as each shard of them needs no more of others than one holds, or if parts of
// their size make up the dim.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.slice %a [0:4, 4:12] : (tensor<4x12xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.slice %a [0:4, 0:4] : (tensor<4x12xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x4xf32>
}
// expect:
// collective_permute tensor<4x2xf32> dense<[[1, 0]]>
// collective_permute tensor<4x2xf32> dense<[[0, 1]]>
// (tensor<4x6xf32>) -> (tensor<4x4xf32>, tensor<4x2xf32>)
