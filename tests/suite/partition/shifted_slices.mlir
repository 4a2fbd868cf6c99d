// test: partition
// Parts of a sharded dim are sharded too as long as each shard of them needs no more of others than one holds.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.slice %a [0:4, 4:12] : (tensor<4x12xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.slice %a [0:4, 0:4] : (tensor<4x12xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x4xf32>
}
// expect:
// warning: `stablehlo.slice` gathers dim 1 of operand 0 whole, which is sharded over x: every device gets 192 B
// collective_permute tensor<4x2xf32> dense<[[1, 0]]>
// all_gather tensor<4x12xf32> dense<[[0, 1]]>
// (tensor<4x6xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
