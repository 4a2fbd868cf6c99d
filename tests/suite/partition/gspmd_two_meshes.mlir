// test: partition
// Six devices as two by three and as three by two are of no common mesh, so there are two.
func.func @main(%x: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %y: tensor<6x6xf32> {mhlo.sharding = "{devices=[3,2]<=[6]}"}) -> tensor<6x6xf32> {
  %0 = stablehlo.add %x, %y : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// expect:
// warning: argument 1 stands on the devices in another order than on the mesh <["x"=2, "y"=3]>: each shard of 24 B is sent
// collective_permute tensor<2x3xf32> dense<[[0, 0], [1, 3], [2, 1], [3, 4], [4, 2], [5, 5]]>
// all_gather tensor<2x6xf32> dense<[[0, 3], [1, 4], [2, 5]]>
// all_to_all tensor<6x2xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// all_gather tensor<6x2xf32> dense<[[0, 3], [1, 4], [2, 5]]>
// all_gather tensor<6x6xf32> dense<[[0, 1, 2], [3, 4, 5]]>
// (tensor<3x2xf32>, tensor<2x3xf32>) -> (tensor<6x6xf32>)
