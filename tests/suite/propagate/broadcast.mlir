// test: propagate
// A broadcast passes on the dims it keeps, and backward only those.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @broadcast(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
// expect:
// %a [{"x"}]
// %b [{"x", ?}]
// %0 [{?}, {"x", ?}]
// %1 [{"y", ?}, {"x", ?}]
// result 0 [{?}, {"x", ?}]
// result 1 [{"y"}, {"x"}]
