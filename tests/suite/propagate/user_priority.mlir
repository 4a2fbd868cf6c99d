// test: propagate
// The smaller operand's dim wins because the user gives it the lower number.
sdy.mesh @mesh = <["x"=2]>
func.func @dot(%a: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p0]>}) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
// expect:
// %a [{"x"}, {}]
// %b [{}, {"x"}]
// %0 [{?}, {"x", ?}]
// result 0 [{?}, {"x", ?}]
