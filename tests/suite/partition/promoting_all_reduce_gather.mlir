// test: partition
// A sum that promotes its elements does not change places with a gather.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xbf16>) -> (tensor<16x8xf32>) {
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x","y"}, {}]>] manual_axes={"x","y"} (%p: tensor<4x4xbf16>) {
    %g = "stablehlo.all_gather"(%p) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xbf16>) -> tensor<4x8xbf16>
    %2 = "stablehlo.all_reduce"(%g) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xbf16>) -> (tensor<16x8xf32>)
  return %1 : tensor<16x8xf32>
}
// expect:
// all_gather tensor<4x8xbf16> dense<[[0, 1], [2, 3]]>
// all_reduce tensor<4x8xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x4xbf16>) -> (tensor<4x8xf32>)
