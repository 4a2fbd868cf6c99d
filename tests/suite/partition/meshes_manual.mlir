// test: partition
// The mesh of a manual computation is the one that all is brought to: its axis is a part of the other mesh's.
sdy.mesh @flat = <["all"=8]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"all"}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{}, {"all":(1)4}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// expect:
// all_gather tensor<8x8xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// collective_permute tensor<8x8xf32> dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]>
// all_to_all tensor<16x2xf32> dense<[[0, 2, 4, 6], [1, 3, 5, 7]]>
// (tensor<2x8xf32>) -> (tensor<16x2xf32>)
