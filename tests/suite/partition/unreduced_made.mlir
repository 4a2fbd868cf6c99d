// test: partition
// A complete value that is to be unreduced is a contribution of one device alone; of what is sharded over the axes, each
// device contributes its shard, and nothing is put together before.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x4xf32>
  %1 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %2 = stablehlo.tanh %1 : tensor<8x4xf32>
  %3 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x4xf32>
  %4 = sdy.reduce_scatter [{}, {"x"}] %3 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x4xf32>
  %5 = stablehlo.tanh %4 : tensor<8x4xf32>
  return %2, %5 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// reduce_scatter tensor<8x2xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<8x2xf32>)
