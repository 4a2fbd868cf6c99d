// test: partition ints=0..7
// Contributions are scattered before they are summed; what they are added to is a part of zeros, which stays zero.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %at: tensor<12x1xi32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<12x4xf32>, tensor<4x8xf32>) -> tensor<12x8xf32>
  %2 = "stablehlo.scatter"(%0, %at, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<12x1xi32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// expect:
// all_reduce tensor<4x8xf32> dense<[[0, 2], [1, 3]]>
// (tensor<12x2xf32>, tensor<2x8xf32>, tensor<12x1xi32>) -> (tensor<4x8xf32>)
