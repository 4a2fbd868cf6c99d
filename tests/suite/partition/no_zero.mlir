// test: partition
// A type without zero has nothing to contribute to a sum: what would be looked up under a mask is gathered, while
// a maximum and what only moves stay sharded.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<5x4xf8E8M0FNU> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<3x1xi32>, %k: tensor<i32>) -> (tensor<4xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>, tensor<6x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) {
  %z = stablehlo.constant dense<1.0> : tensor<f8E8M0FNU>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<5x4xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf8E8M0FNU>, tensor<3x1xi32>) -> tensor<3x4xf8E8M0FNU>
  %2 = stablehlo.pad %a, %z, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<5x4xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<6x4xf8E8M0FNU>
  %3 = stablehlo.dynamic_slice %a, %k, %zero, sizes = [2, 4] : (tensor<5x4xf8E8M0FNU>, tensor<i32>, tensor<i32>) -> tensor<2x4xf8E8M0FNU>
  return %0, %1, %2, %3 : tensor<4xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>, tensor<6x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>
}
// expect:
// warning: `stablehlo.gather` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 20 B
// warning: `stablehlo.dynamic_slice` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 20 B
// all_reduce tensor<4xf8E8M0FNU> dense<[[0, 1]]>
// all_gather tensor<6x4xf8E8M0FNU> dense<[[0, 1]]>
// (tensor<3x4xf8E8M0FNU>, tensor<3x1xi32>, tensor<i32>) -> (tensor<4xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>)
