// test: partition
// Three parts and four parts of one axis are not made of common pieces: the shards of the second argument and of the
// result stand on other devices than the pieces that the program is computed by, and are sent there.
sdy.mesh @mesh = <["x"=12]>
func.func @main(%a: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)4}, {}]>}, %b: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}, {}]>}) -> (tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)4}, {}]>}, tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<12x12xf32>
  return %0, %b : tensor<12x12xf32>, tensor<12x12xf32>
}
// expect:
// warning: argument 1 stands on the devices in another order than on the mesh <["x"=12]>: each shard of 192 B is sent
// warning: result 1 stands on the devices in another order than on the mesh <["x"=12]>: each shard of 192 B is sent
// collective_permute tensor<4x12xf32> dense<[[0, 0], [1, 6], [2, 9], [3, 3], [4, 4], [5, 1], [6, 10], [7, 7], [8, 8], [9, 2], [10, 5], [11, 11]]>
// collective_permute tensor<1x12xf32> dense<[[0, 0], [3, 1], [6, 2], [9, 3], [1, 4], [4, 5], [7, 6], [10, 7], [2, 8], [5, 9], [8, 10], [11, 11]]>
// all_gather tensor<3x12xf32> dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]>
// collective_permute tensor<4x12xf32> dense<[[0, 0], [1, 5], [2, 9], [3, 3], [4, 4], [5, 10], [6, 1], [7, 7], [8, 8], [9, 2], [10, 6], [11, 11]]>
// (tensor<3x12xf32>, tensor<4x12xf32>) -> (tensor<3x12xf32>, tensor<4x12xf32>)
