// test: partition
// What decides on a branch is combined over one axis and the same along another, which is manual elsewhere.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x4xf32>, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %which: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={"y"}>}) -> (tensor<8x4xf32>, tensor<4x4xf32>) {
  %0 = "stablehlo.case"(%which) ({
    %2 = stablehlo.reverse %b, dims = [0] : tensor<8x4xf32>
    stablehlo.return %2 : tensor<8x4xf32>
  }, {
    stablehlo.return %b : tensor<8x4xf32>
  }) : (tensor<i32>) -> tensor<8x4xf32>
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%p: tensor<2x4xf32>) {
    %2 = stablehlo.negate %p : tensor<2x4xf32>
    sdy.return %2 : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// all_reduce tensor<i32> dense<[[0, 1], [2, 3]]>
// collective_permute tensor<4x4xf32> dense<[[2, 0], [3, 1], [0, 2], [1, 3]]>
// (tensor<2x4xf32>, tensor<4x4xf32>, tensor<i32>) -> (tensor<4x4xf32>, tensor<2x4xf32>)
