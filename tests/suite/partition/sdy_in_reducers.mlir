// test: partition
// Constants and constraints of single elements, as propagation may leave them, are none on a device.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  reducer(%p: tensor<f32>, %q: tensor<f32>) {
    %k = sdy.constant dense<0.0> : tensor<f32>
    %s = stablehlo.add %p, %q : tensor<f32>
    %t = sdy.sharding_constraint %s <@mesh, []> : tensor<f32>
    %u = stablehlo.maximum %t, %k : tensor<f32>
    stablehlo.return %u : tensor<f32>
  }
  return %0 : tensor<8xf32>
}
// expect:
// warning: `stablehlo.reduce` needs dim 1 of operand 0 whole, which is sharded over y: every device gets 128 B
// all_gather tensor<4x8xf32> dense<[[0, 1], [2, 3]]>
// (tensor<4x4xf32>) -> (tensor<4xf32>)
