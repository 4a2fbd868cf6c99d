// test: partition
// A cache that is sharded along the positions: each device replaces what falls on its shard, and nothing is sent. The
// window may straddle shards, and the last shard is padded.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%cache: tensor<2x11x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
                %new: tensor<2x1x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>},
                %prompt: tensor<2x7x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>},
                %at: tensor<i32>) -> (tensor<2x11x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cache, %new, %zero, %at, %zero : (tensor<2x11x4xbf16>, tensor<2x1x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x11x4xbf16>
  %1 = stablehlo.dynamic_update_slice %0, %prompt, %zero, %at, %zero : (tensor<2x11x4xbf16>, tensor<2x7x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x11x4xbf16>
  return %1 : tensor<2x11x4xbf16>
}
// expect: (tensor<2x6x2xbf16>, tensor<2x1x2xbf16>, tensor<2x7x2xbf16>, tensor<i32>) -> (tensor<2x6x2xbf16>)
