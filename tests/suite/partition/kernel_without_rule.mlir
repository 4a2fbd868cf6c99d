// test: partition unchecked
// A kernel that nothing is known of is named where it needs an operand whole.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @mystery(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// expect:
// warning: `stablehlo.custom_call` of @mystery needs dim 0 of operand 0 whole, which is sharded over x: every device gets 128 B
// all_gather tensor<8x4xf32> dense<[[0, 1]]>
// (tensor<4x4xf32>) -> (tensor<8x4xf32>)
