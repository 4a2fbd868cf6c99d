// test: partition
// What sdy's collectives ask for is what a constraint asks for; a reduction that a dot leaves is theirs.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{}, {"y"}] %0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %3 = sdy.all_to_all [{"y"}: 1->0] %a out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x4xf32>
  %4 = sdy.replicated_to_unreduced {"x"} %2 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  %5 = sdy.all_reduce {"x"} %4 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %6 = sdy.sharded_to_unreduced [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  %7 = sdy.reduce_scatter [{"x"}, {}] %6 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return %2, %3, %5, %7 : tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// expect:
// reduce_scatter tensor<4x4xf32> dense<[[0, 1], [2, 3]]>
// all_gather tensor<8x4xf32> dense<[[0, 2], [1, 3]]>
// all_to_all tensor<2x4xf32> dense<[[0, 1], [2, 3]]>
// (tensor<4x2xf32>, tensor<2x8xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>)
