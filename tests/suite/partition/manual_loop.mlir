// test: partition
// Collectives and device numbers inside a loop inside a manual computation.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, []>] manual_axes={"x"} (%b: tensor<2xf32>) {
    %start = stablehlo.constant dense<0> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1:3 = stablehlo.while(%i = %start, %v = %b, %t = %zero) : tensor<i32>, tensor<2xf32>, tensor<f32>
    cond {
      %end = stablehlo.constant dense<4> : tensor<i32>
      %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %step = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %step : tensor<i32>
      %2 = "stablehlo.collective_permute"(%v) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      %id = stablehlo.partition_id : tensor<ui32>
      %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
      %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %3 = stablehlo.add %2, %g : tensor<2xf32>
      %4 = stablehlo.reduce(%3 init: %t) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.all_reduce"(%4) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %6 = stablehlo.maximum %l, %r : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %j, %3, %5 : tensor<i32>, tensor<2xf32>, tensor<f32>
    }
    sdy.return %1#1, %1#2 : tensor<2xf32>, tensor<f32>
  } : (tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<f32>
}
// expect:
// collective_permute tensor<2xf32> dense<[[0, 1], [1, 2], [2, 3], [3, 0]]>
// all_reduce tensor<f32> dense<[[0, 1, 2, 3]]>
// (tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
