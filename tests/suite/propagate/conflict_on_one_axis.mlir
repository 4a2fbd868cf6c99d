// test: propagate complete
// Both free dims want x; the dim of the larger operand gets it, and the smaller operand is gathered.
sdy.mesh @mesh = <["x"=2]>
func.func @dot(%a: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
// expect:
// %a [{"x"}, {}]
// %b [{}, {"x"}]
// %0 [{"x"}, {}]    made [{"x"}, {}] from [{"x"}, {}] x [{}, {}]
// result 0 [{"x"}, {}]
