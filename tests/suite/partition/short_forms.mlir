// test: partition
// What short forms stand for is sharded as if it had been written out; their own shardings hold for their results.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8xf32>, %m: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %i: tensor<5xi32>) -> (tensor<4x8xf32>, tensor<4x6xf32>, tensor<4x5xf32>, tensor<3x8xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.einsum %0, %m, config = "ab,bc->ac" {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %2 = "stablehlo.torch_index_select"(%1, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<4x6xf32>, tensor<5xi32>) -> tensor<4x5xf32>
  %3 = stablehlo.broadcast %b, sizes = [3] : (tensor<8xf32>) -> tensor<3x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x6xf32>, tensor<4x5xf32>, tensor<3x8xf32>
}
// expect:
// warning: `stablehlo.gather` gathers dim 1 of operand 0 whole, which is sharded over y: every device gets 48 B
// all_gather tensor<2x6xf32> dense<[[0, 1], [2, 3]]>
// (tensor<2x8xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<5xi32>) -> (tensor<2x8xf32>, tensor<2x3xf32>, tensor<2x5xf32>, tensor<3x8xf32>)
