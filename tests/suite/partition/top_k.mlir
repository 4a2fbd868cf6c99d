// test: partition
// The largest of each shard are gathered, with their positions in the whole dim.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6x50xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x3xf32>, tensor<6x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<6x50xf32> -> (tensor<6x3xf32>, tensor<6x3xi32>)
  return %0#0, %0#1 : tensor<6x3xf32>, tensor<6x3xi32>
}
// expect:
// all_gather tensor<3x12xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// all_gather tensor<3x12xi32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<3x13xf32>) -> (tensor<3x3xf32>, tensor<3x3xi32>)
