// test: partition
// Shardings go along the rule that the user gave: that of the first op sends dim 0 to dim 1, which takes an all-to-all;
// that of the second ties nothing, that of the third wants dim 1 whole and that of the fourth lets nothing pass along it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %d: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.tanh %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, i]) {i=8, j=8, k=8}, custom>} : tensor<8x8xf32>
  %1 = stablehlo.tanh %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=8, j=4, k=8, l=4}>} : tensor<8x4xf32>
  %2 = stablehlo.tanh %c {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} need_replication={j}>} : tensor<8x4xf32>
  %3 = stablehlo.tanh %d {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} blocked_propagation={j}>} : tensor<8x4xf32>
  return %0, %1, %2, %3 : tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// warning: `stablehlo.tanh` needs dim 1 of operand 0 whole, which is sharded over x: every device gets 128 B
// all_to_all tensor<8x4xf32> dense<[[0, 1]]>
// all_gather tensor<8x4xf32> dense<[[0, 1]]>
// all_gather tensor<8x4xf32> dense<[[0, 1]]>
// all_gather tensor<8x4xf32> dense<[[0, 1]]>
// (tensor<4x8xf32>, tensor<4x4xf32>, tensor<8x2xf32>, tensor<8x2xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x2xf32>, tensor<8x4xf32>)
