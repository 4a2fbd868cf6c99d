// test: partition unchecked
// A short form of elements that what it stands for does not take is left as it is, on every device.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.broadcast_shift_left %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expect:
// warning: `chlo.broadcast_shift_left` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 16 B
// all_gather tensor<4xf32> dense<[[0, 1]]>
// (tensor<2xf32>, tensor<4xf32>) -> (tensor<4xf32>)
