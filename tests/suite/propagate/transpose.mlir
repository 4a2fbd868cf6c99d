// test: propagate
// Dims keep their axes wherever they go.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @transpose(%a: tensor<2x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> tensor<6x2x4xf32> {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x4x6xf32>) -> tensor<6x2x4xf32>
  return %0 : tensor<6x2x4xf32>
}
// expect:
// %a [{"x"}, {"y"}, {}]
// %0 [{?}, {"x", ?}, {"y", ?}]
// result 0 [{?}, {"x", ?}, {"y", ?}]
