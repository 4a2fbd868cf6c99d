// test: partition
// Columns that are sorted whole are exchanged for a share of the rows and back, which sends less than gathering them.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
// expect:
// warning: `stablehlo.sort` needs dim 1 of operand 0 whole, which is sharded over x: every device gets 4.0 KiB
// all_to_all tensor<16x64xf32> dense<[[0, 1, 2, 3]]>
// all_to_all tensor<64x16xf32> dense<[[0, 1, 2, 3]]>
// (tensor<64x16xf32>) -> (tensor<64x16xf32>)
