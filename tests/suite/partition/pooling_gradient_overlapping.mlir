// test: partition
// Windows of three reach over the edges of shards, whose edges are sent both ways.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %g: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %g, %zero) <{padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<16x16xf32>, tensor<8x8xf32>, tensor<f32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// expect:
// collective_permute tensor<2x4xf32> dense<[[4, 0], [5, 1], [6, 2], [7, 3], [0, 4], [1, 5], [2, 6], [3, 7]]>
// collective_permute tensor<1x2xf32> dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>
// collective_permute tensor<10x1xf32> dense<[[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]>
// collective_permute tensor<10x2xf32> dense<[[1, 0], [2, 1], [3, 2], [5, 4], [6, 5], [7, 6]]>
// collective_permute tensor<5x1xf32> dense<[[1, 0], [2, 1], [3, 2], [5, 4], [6, 5], [7, 6]]>
// (tensor<8x4xf32>, tensor<4x2xf32>) -> (tensor<8x4xf32>)
