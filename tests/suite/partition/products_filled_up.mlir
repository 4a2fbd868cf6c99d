// test: partition
// Contributions to a product are filled up with ones before they are multiplied and shared out.
sdy.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %i: tensor<6x1xi32>, %u: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// reduce_scatter tensor<3xf32> dense<[[0, 1, 2]]>
// (tensor<8xf32>, tensor<2x1xi32>, tensor<2xf32>) -> (tensor<3xf32>)
