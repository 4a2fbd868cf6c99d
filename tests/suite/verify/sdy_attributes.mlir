// test: verify
// Sharding rules fit their instruction; propagation edges name values and axes that are there.
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @other = <["y"=2]>
func.func @rules(%arg0: tensor<8x4xf32>, %arg1: tensor<32xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding_rule = 3} : tensor<8x4xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %2 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %3 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, ])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %4 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, i]) {i=8, j=4}>} : tensor<8x4xf32>
  %5 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([i, jk]) {i=8, j=4, k=1} reduction={j} need_replication={k, k} permutation={j, z_3}>} : tensor<8x4xf32>
  stablehlo.custom_call @nothing(%arg0) {has_side_effect = true, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([]) {i=8, j=4}>} : (tensor<8x4xf32>) -> ()
  return
}
func.func @edges(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"y"}]>}) {
  %0 = stablehlo.negate %arg0 {sdy.propagation_edges = "all"} : tensor<8xf32>
  %1 = stablehlo.negate %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  %2 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"y" = operand-0 -> [result-1]}]}]>} : tensor<8xf32>
  %3 = stablehlo.add %arg0, %arg2 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"y" = operand-0 -> [operand-1]}]}]>} : tensor<8xf32>
  %4 = stablehlo.negate %arg0 {sdy.result_propagation_edges = [3]} : tensor<8xf32>
  return
}
// error: op @6: `stablehlo.negate`: `sdy.sharding_rule` should be #sdy.op_sharding_rule<...>
// error: op @7: `stablehlo.negate`: `sdy.sharding_rule`: the rule is for 2 operands, but there are 1
// error: op @8: `stablehlo.negate`: `sdy.sharding_rule`: operand 0 is a tensor<8x4xf32>, but the rule has 1 dims for it
// error: op @9: `stablehlo.negate`: `sdy.sharding_rule`: a dim of operand 0 has no factor
// error: op @10: `stablehlo.negate`: `sdy.sharding_rule`: operand 0 has the factor k, which has no size
// error: op @10: `stablehlo.negate`: `sdy.sharding_rule`: result 0 has the factor i twice
// error: op @10: `stablehlo.negate`: `sdy.sharding_rule`: factor j=4 is in no operand and no result
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: operand 0 has the factor k=1 beside others in one dim
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: result 0 has the factor k=1 beside others in one dim
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: the need_replication factors should be listed in order, each once
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: factor k is listed twice among reduction, need_replication and permutation
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: factor j is listed twice among reduction, need_replication and permutation
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: permutation lists z_3, which has no size
// error: op @11: `stablehlo.negate`: `sdy.sharding_rule`: the reduction factor j is in a result
// error: op @12: `stablehlo.custom_call`: `sdy.sharding_rule`: the rule is for 1 results, but there are 0
// error: op @16: `stablehlo.negate`: `sdy.propagation_edges` should be #sdy.propagation_edges<[...]>
// error: op @17: `stablehlo.negate`: `sdy.propagation_edges`: none of the values has a sharding
// error: sharding @18: `sdy.propagation_edges`: mesh @mesh has no axis "y"
// error: op @18: `stablehlo.negate`: `sdy.propagation_edges`: there is no result-1 among 1 operands and 1 results
// error: op @19: `stablehlo.add`: `sdy.propagation_edges`: values are sharded on <["x"=2]> and on <["y"=2]>
// error: op @20: `stablehlo.negate`: `sdy.result_propagation_edges` should be a list of #sdy.propagation_edges<[...]>
