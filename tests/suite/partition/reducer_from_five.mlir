// test: partition
// Initial values that change something are applied once: a sum from five is reduced in one place.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6xf32>, tensor<6xf32>) {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.reduce(%a init: %five), (%a init: %zero) across dimensions = [0] : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>)
   reducer(%l: tensor<f32>, %r: tensor<f32>) (%i: tensor<f32>, %j: tensor<f32>) {
    %1 = stablehlo.add %l, %r : tensor<f32>
    %2 = stablehlo.maximum %i, %j : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<6xf32>, tensor<6xf32>
}
// expect:
// warning: `stablehlo.reduce` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 96 B
// all_gather tensor<4x6xf32> dense<[[0, 1]]>
// (tensor<2x6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
