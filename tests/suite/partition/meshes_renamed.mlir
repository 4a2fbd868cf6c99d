// test: partition
// Meshes with other names and factors of the same devices are one: nothing moves but what must.
sdy.mesh @data = <["a"=2, "b"=4]>
sdy.mesh @model = <["c"=4, "d"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@data, [{"a"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@model, [{}, {"d"}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@model, [{"c"}, {"d"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %1 = sdy.sharding_constraint %0 <@data, [{"a", "b"}, {}]> : tensor<16x8xf32>
  %2 = stablehlo.tanh %1 : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
// expect:
// all_to_all tensor<2x8xf32> dense<[[0, 1], [2, 3], [4, 5], [6, 7]]>
// all_to_all tensor<4x4xf32> dense<[[0, 1], [2, 3], [4, 5], [6, 7]]>
// (tensor<8x8xf32>, tensor<8x4xf32>) -> (tensor<4x4xf32>)
