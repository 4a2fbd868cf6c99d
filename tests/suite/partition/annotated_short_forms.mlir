// test: partition
// What is written on a short form or on a member of a tuple holds: the member's sharding, and the rule, by which the sum
// needs its operands whole.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.tuple %a, %b : tuple<tensor<4x2xf32>, tensor<4x2xf32>>
  %1 = stablehlo.get_tuple_element %0[1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tuple<tensor<4x2xf32>, tensor<4x2xf32>>) -> tensor<4x2xf32>
  %2 = chlo.broadcast_add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=2} need_replication={i}, custom>} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1, %2 : tensor<4x2xf32>, tensor<4x2xf32>
}
// expect:
// warning: `stablehlo.add` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 32 B
// all_gather tensor<4x2xf32> dense<[[0, 1]]>
// (tensor<2x2xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<2x2xf32>)
