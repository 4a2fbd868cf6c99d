// test: partition
// Every device draws all numbers that have no seed, the same as the others, and keeps its own.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6x4xf32> {
  %l = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<[6, 4]> : tensor<2xi64>
  %0 = stablehlo.rng %l, %h, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<6x4xf32>
  %1 = stablehlo.add %a, %0 : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
// expect:
// warning: `stablehlo.rng` makes dim 0 of result 0 whole, which is sharded over x: every device gets 96 B
// (tensor<3x4xf32>) -> (tensor<3x4xf32>)
