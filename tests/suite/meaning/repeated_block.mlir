// test: meaning
// A device's block of what a broadcast repeats may be a shard along the repeated dim too: a product of it with other
// shards is a contribution to the block, which is the device's own.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %rows = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
  %id = stablehlo.replica_id : tensor<ui32>
  %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %at = stablehlo.multiply %own, %two : tensor<i32>
  %block = stablehlo.dynamic_slice %rows, %zero, %at, %zero, sizes = [1, 2, 6] : (tensor<1x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x6xf32>
  %product = stablehlo.dot_general %block, %b, contracting_dims = [0] x [0] : (tensor<1x2x6xf32>, tensor<1x3xf32>) -> tensor<2x6x3xf32>
  return %a : tensor<4x6xf32>
}
// expect:
// %a [{}, {}]
// %b [{"x"}, {}]
// %zero []
// %two []
// %rows [{}, {}, {}]
// %id [], own along "x"
// %own [], own along "x"
// %at [], own along "x"
// %block [{}, {"x"}, {}]
// %product [{}, {}, {}], own along "x"
