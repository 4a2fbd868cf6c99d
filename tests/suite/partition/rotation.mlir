// test: partition
// A rotation along a sharded dim: what lies behind the end of each shard goes to the next one. By more than a shard, both
// neighbors of where it goes to take a part.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %0 = call @by_three(%a) : (tensor<64x8xf32>) -> tensor<64x8xf32>
  %1 = stablehlo.slice %0 [44:64, 0:8] : (tensor<64x8xf32>) -> tensor<20x8xf32>
  %2 = stablehlo.slice %0 [0:44, 0:8] : (tensor<64x8xf32>) -> tensor<44x8xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<20x8xf32>, tensor<44x8xf32>) -> tensor<64x8xf32>
  return %0, %3 : tensor<64x8xf32>, tensor<64x8xf32>
}
func.func private @by_three(%a: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.slice %a [61:64, 0:8] : (tensor<64x8xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.slice %a [0:61, 0:8] : (tensor<64x8xf32>) -> tensor<61x8xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x8xf32>, tensor<61x8xf32>) -> tensor<64x8xf32>
  return %2 : tensor<64x8xf32>
}
// expect:
// collective_permute tensor<3x8xf32> dense<[[3, 0], [0, 1], [1, 2], [2, 3]]>
// collective_permute tensor<12x8xf32> dense<[[3, 0], [0, 1], [1, 2], [2, 3]]>
// collective_permute tensor<4x8xf32> dense<[[2, 0], [3, 1], [0, 2], [1, 3]]>
// (tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>)
