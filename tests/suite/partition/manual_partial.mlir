// test: partition
// Along one axis by hand, along the other by propagation; a reducer holds a constraint on its scalar.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4x6xf32>, tensor<8x6xf32>) {
  %0:2 = sdy.manual_computation(%a, %w) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%b: tensor<4x4xf32>, %v: tensor<4x6xf32>) {
    %1 = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %3 = stablehlo.add %l, %r : tensor<f32>
      %4 = sdy.sharding_constraint %3 <@mesh, []> : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    sdy.return %2, %1 : tensor<4x6xf32>, tensor<4x6xf32>
  } : (tensor<8x4xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<8x6xf32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<8x6xf32>
}
// expect:
// all_reduce tensor<4x3xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x4xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
