// test: partition
// A sum that promotes its elements does not move behind a product.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xbf16>, %w: tensor<4x8xf32>) -> (tensor<8x8xf32>) {
  %1 = sdy.manual_computation(%a, %w) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<4x8xbf16>, %q: tensor<4x8xf32>) {
    %2 = "stablehlo.all_reduce"(%p) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %3 = stablehlo.multiply %2, %q : tensor<4x8xf32>
    sdy.return %3 : tensor<4x8xf32>
  } : (tensor<8x8xbf16>, tensor<4x8xf32>) -> (tensor<8x8xf32>)
  return %1 : tensor<8x8xf32>
}
// expect:
// all_reduce tensor<4x8xf32> dense<[[0, 1]]>
// (tensor<4x8xbf16>, tensor<4x8xf32>) -> (tensor<4x8xf32>)
