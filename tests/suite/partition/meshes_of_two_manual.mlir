// test: partition
// Manual computations on two meshes: the axes of both are axes of the joint mesh.
sdy.mesh @flat = <["all"=8]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"all"}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@flat, [{"all"}, {}]>] out_shardings=[<@flat, [{"all"}, {}]>] manual_axes={"all"} (%b: tensor<2x8xf32>) {
    %1 = stablehlo.tanh %b : tensor<2x8xf32>
    sdy.return %1 : tensor<2x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    %3 = stablehlo.sine %b : tensor<8x8xf32>
    sdy.return %3 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
// expect:
// all_gather tensor<8x8xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<2x8xf32>) -> (tensor<8x8xf32>)
