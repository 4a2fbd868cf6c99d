// test: partition
// A reducer need not commute: the elements stay in order, so rows are reduced before what they come to is gathered.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
   reducer(%l: tensor<f32>, %r: tensor<f32>) {
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.compare NE, %l, %none : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %l, %r : tensor<i1>, tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
// expect:
// all_gather tensor<2x2xf32> dense<[[0, 1], [2, 3]]>
// all_gather tensor<2x1xf32> dense<[[0, 2], [1, 3]]>
// (tensor<2x3xf32>) -> (tensor<f32>)
