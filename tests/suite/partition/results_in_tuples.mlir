// test: partition
// Every device has all of a result that is a tuple, and a token of its own.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tuple<tensor<4xf32>, tuple<tensor<4xf32>>>, !stablehlo.token, tensor<4xf32>) {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.tuple %a : tuple<tensor<4xf32>>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<4xf32>, tuple<tensor<4xf32>>>
  %3 = stablehlo.create_token : !stablehlo.token
  return %2, %3, %0 : tuple<tensor<4xf32>, tuple<tensor<4xf32>>>, !stablehlo.token, tensor<4xf32>
}
// expect:
// warning: `stablehlo.tuple` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 16 B
// warning: `stablehlo.tuple` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 16 B
// all_gather tensor<4xf32> dense<[[0, 1]]>
// all_gather tensor<4xf32> dense<[[0, 1]]>
// (tensor<2xf32>) -> (tuple<tensor<4xf32>, tuple<tensor<4xf32>>>, !stablehlo.token, tensor<2xf32>)
