// test: partition
// Two by three and three by two devices have no common pieces: values are cut alike, and arguments and results of the
// second mesh are sent to where the first one has them.
sdy.mesh @first = <["a"=2, "b"=3]>
sdy.mesh @second = <["c"=3, "d"=2]>
func.func @main(%a: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@first, [{"b"}, {"a"}]>}, %b: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@second, [{"c"}, {"d"}]>}) -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@second, [{"c"}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// expect:
// warning: argument 1 stands on the devices in another order than on the mesh <["a"=2, "b"=3]>: each shard of 24 B is sent
// warning: result 0 stands on the devices in another order than on the mesh <["a"=2, "b"=3]>: each shard of 48 B is sent
// collective_permute tensor<2x3xf32> dense<[[0, 0], [1, 3], [2, 1], [3, 4], [4, 2], [5, 5]]>
// all_gather tensor<2x6xf32> dense<[[0, 3], [1, 4], [2, 5]]>
// collective_permute tensor<2x6xf32> dense<[[0, 0], [1, 2], [2, 4], [3, 1], [4, 3], [5, 5]]>
// (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x6xf32>)
