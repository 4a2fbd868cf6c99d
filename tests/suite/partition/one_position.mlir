// test: partition
// One position of a sharded dim, such as the last of a sequence: the device that holds it contributes it.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<4x1x64xf32>, tensor<4x1x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) {
  %0 = stablehlo.slice %a [0:4, 1023:1024, 0:64] : (tensor<4x1024x64xf32>) -> tensor<4x1x64xf32>
  %1 = stablehlo.slice %a [0:4, 0:1, 0:64] : (tensor<4x1024x64xf32>) -> tensor<4x1x64xf32>
  return %0, %1 : tensor<4x1x64xf32>, tensor<4x1x64xf32>
}
// expect:
// all_reduce tensor<2x1x64xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// reduce_scatter tensor<2x1x16xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<2x256x64xf32>) -> (tensor<2x1x64xf32>, tensor<2x1x16xf32>)
