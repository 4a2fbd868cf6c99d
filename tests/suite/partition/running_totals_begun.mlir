// test: partition
// Running totals that begin with a zero that is repeated: one element per shard and row is sent.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<18x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<18x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %begin = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %begin) <{padding = dense<[[17, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 18, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<18x3xf32>, tensor<f32>) -> tensor<18x3xf32>
  return %0 : tensor<18x3xf32>
}
// expect:
// all_gather tensor<4x3xf32> dense<[[0, 1, 2, 3]]>
// (tensor<5x3xf32>) -> (tensor<5x3xf32>)
