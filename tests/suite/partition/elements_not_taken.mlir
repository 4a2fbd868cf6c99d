// test: partition unchecked
// A short form of elements that what it stands for does not take is left as it is, on every device.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.broadcast_shift_left %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expect:
