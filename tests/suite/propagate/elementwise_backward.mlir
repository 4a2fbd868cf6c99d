// test: propagate
// A sharded result decides what it was computed from, through a chain.
sdy.mesh @mesh = <["x"=2]>
func.func @chain(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.multiply %0, %b : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// expect:
// %a [{"x", ?}]
// %b [{"x", ?}]
// %0 [{"x", ?}]
// %1 [{"x", ?}]
// result 0 [{"x"}]
