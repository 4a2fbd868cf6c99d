// test: partition
// The gradient of pooling stays sharded over batches and features.
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<4x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                %g: tensor<4x3x6xf32>) -> tensor<4x6x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %g, %zero) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6x6xf32>, tensor<4x3x6xf32>, tensor<f32>) -> tensor<4x6x6xf32>
  return %0 : tensor<4x6x6xf32>
}
// expect: (tensor<2x6x2xf32>, tensor<2x3x2xf32>) -> (tensor<2x6x2xf32>)
