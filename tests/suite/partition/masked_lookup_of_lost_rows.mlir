// test: partition
// The rows that are looked up come from a loop in which it is no longer known how they are sharded; only the mask of
// what a device holds of the table makes a contribution.
sdy.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%tokens: tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>}, %table: tensor<48x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<4x3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %last:2 = stablehlo.while(%i = %zero, %t = %tokens) : tensor<i32>, tensor<4x3xi32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %more = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %ids = stablehlo.reshape %t : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %rows = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<48x6xf32>, tensor<4x3x1xi32>) -> tensor<4x3x6xf32>
    %sum = stablehlo.reduce(%rows init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4x3x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %all = stablehlo.broadcast_in_dim %sum, dims = [1, 2] : (tensor<3x6xf32>) -> tensor<4x3x6xf32>
    %both = stablehlo.add %all, %rows : tensor<4x3x6xf32>
    %flat = stablehlo.reshape %both : (tensor<4x3x6xf32>) -> tensor<4x18xf32>
    %values, %found = chlo.top_k(%flat, k = 3) : tensor<4x18xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %found : tensor<i32>, tensor<4x3xi32>
  }
  return %last#1 : tensor<4x3xi32>
}
// expect:
// all_gather tensor<2x3x1xi32> dense<[[0, 1], [2, 3]]>
// reduce_scatter tensor<1x3x6xf32> dense<[[0, 1], [2, 3]]>
// all_reduce tensor<1x3x6xf32> dense<[[0, 1, 2, 3]]>
// (tensor<1x3xi32>, tensor<24x6xf32>) -> (tensor<1x3xi32>)
