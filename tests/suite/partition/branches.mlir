// test: partition
// Branches are sharded like the code around them: what they read from outside stays sharded, and so do the results.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%p: tensor<i1>, %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x16xf32>)
    -> (tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    stablehlo.return %1, %2 : tensor<8x16xf32>, tensor<16xf32>
  }, {
    %3 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<16xf32>
    stablehlo.return %a, %3 : tensor<8x16xf32>, tensor<16xf32>
  }) : (tensor<i1>) -> (tensor<8x16xf32>, tensor<16xf32>)
  %4 = stablehlo.tanh %0#0 : tensor<8x16xf32>
  return %4, %0#1 : tensor<8x16xf32>, tensor<16xf32>
}
// expect:
// all_reduce tensor<16xf32> dense<[[0, 1, 2, 3]]>
// (tensor<i1>, tensor<2x16xf32>, tensor<16x16xf32>) -> (tensor<2x16xf32>, tensor<16xf32>)
