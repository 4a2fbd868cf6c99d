// test: meaning
// Of a dim that a broadcast makes, each device may make its own part: its sum is a contribution. What is no broadcast,
// or broadcast along another dim, is complete and counts once per device.
sdy.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<2x4xf32>, %b: tensor<1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<ui32>
  %id = stablehlo.replica_id : tensor<ui32>
  %is_first = stablehlo.compare EQ, %id, %first : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %init = stablehlo.select %is_first, %one, %zero : tensor<i1>, tensor<f32>
  %part = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
  %0 = stablehlo.reduce(%part init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%part init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %3 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %5 = stablehlo.add %4, %a : tensor<2x4xf32>
  return %1, %3, %1 : tensor<4xf32>, tensor<f32>, tensor<4xf32>
}
// error: device-program @19: D6: `stablehlo.reduce`: operand 0 is complete, but the result is a contribution to a sum over x: it would count once per device
// error: device-program @22: D6: `stablehlo.add`: operand 1 is complete, but the result is a contribution to a sum over x: it would count once per device
// error: device-program @23: D6: `func.return`: result 1 is returned as complete, but is a contribution over x
