// test: partition
// What is gathered though nobody asked for it is told: dims that are merged, transformed behind a pad, rolled by an
// amount that is not known, looked up in a small table; what the program says is whole is not.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %table: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %rows: tensor<64x1xi32>, %by: tensor<i32>) -> (tensor<64xf32>, tensor<4x17xcomplex<f32>>, tensor<4x16xf32>, tensor<64x4xf32>, tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %flat = stablehlo.reshape %a : (tensor<4x16xf32>) -> tensor<64xf32>
  %wide = stablehlo.pad %a, %none, low = [0, 0], high = [0, 16], interior = [0, 0] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x32xf32>
  %waves = stablehlo.fft %wide, type = RFFT, length = [32] : (tensor<4x32xf32>) -> tensor<4x17xcomplex<f32>>
  %twice = stablehlo.concatenate %a, %a, dim = 1 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x32xf32>
  %rolled = stablehlo.dynamic_slice %twice, %zero, %by, sizes = [4, 16] : (tensor<4x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
  %found = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<64x1xi32>) -> tensor<64x4xf32>
  %mirrored = stablehlo.reverse %a, dims = [1] : tensor<4x16xf32>
  return %flat, %waves, %rolled, %found, %mirrored : tensor<64xf32>, tensor<4x17xcomplex<f32>>, tensor<4x16xf32>, tensor<64x4xf32>, tensor<4x16xf32>
}
// expect:
// warning: `stablehlo.reshape` gathers dim 1 of operand 0 whole, which is sharded over x: every device gets 256 B
// warning: `stablehlo.pad` gathers dim 1 of operand 0 whole, which is sharded over x: every device gets 256 B
// warning: `stablehlo.concatenate` gathers dim 1 of operand 0 whole, which is sharded over x: every device gets 256 B
// warning: `stablehlo.gather` gathers dim 0 of operand 0 whole, which is sharded over x: every device gets 128 B
// all_gather tensor<4x16xf32> dense<[[0, 1, 2, 3]]>
// all_gather tensor<8x4xf32> dense<[[0, 1, 2, 3]]>
// (tensor<4x4xf32>, tensor<2x4xf32>, tensor<64x1xi32>, tensor<i32>) -> (tensor<64xf32>, tensor<4x17xcomplex<f32>>, tensor<4x16xf32>, tensor<64x4xf32>, tensor<4x16xf32>)
