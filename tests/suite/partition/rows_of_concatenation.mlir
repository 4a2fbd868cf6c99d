// test: partition
// Rows that a list made of two parts names, masked where they are none: the list is sent between devices, and where its
// parts begin depends on the device, but the mask is the program's own. What it leaves may change places.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%table: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %first: tensor<64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %second: tensor<32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %weights: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %least = stablehlo.constant dense<0> : tensor<96x1xi32>
  %none = stablehlo.constant dense<0.0> : tensor<96x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.concatenate %first, %second, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xi32>, tensor<32xi32>) -> tensor<96xi32>
  %at = stablehlo.reshape %rows : (tensor<96xi32>) -> tensor<96x1xi32>
  %found = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<32x4xf32>, tensor<96x1xi32>) -> tensor<96x4xf32>
  %is_there = stablehlo.compare GE, %at, %least : (tensor<96x1xi32>, tensor<96x1xi32>) -> tensor<96x1xi1>
  %mask = stablehlo.broadcast_in_dim %is_there, dims = [0, 1] : (tensor<96x1xi1>) -> tensor<96x4xi1>
  %masked = stablehlo.select %mask, %found, %none {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<96x4xi1>, tensor<96x4xf32>
  %turned = sdy.sharding_constraint %masked <@mesh, [{}, {"x"}]> : tensor<96x4xf32>
  %sum = stablehlo.dot_general %turned, %weights, contracting_dims = [1] x [0] : (tensor<96x4xf32>, tensor<4xf32>) -> tensor<96xf32>
  return %sum : tensor<96xf32>
}
// expect:
// collective_permute tensor<16xi32> dense<[[2, 1], [3, 2], [1, 3]]>
// collective_permute tensor<8xi32> dense<[[1, 0], [0, 2], [2, 3]]>
// all_to_all tensor<96x1xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<96xf32> dense<[[0, 1, 2, 3]]>
// (tensor<32x4xf32>, tensor<16xi32>, tensor<8xi32>, tensor<1xf32>) -> (tensor<96xf32>)
