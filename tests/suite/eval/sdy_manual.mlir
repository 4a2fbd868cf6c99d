// test: eval
// A manual computation is run by every device of its mesh, and the parts are put together; the devices talk.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> (tensor<4xi32>, tensor<2x4xi32>, tensor<4xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1:3 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}], unreduced={"y"}>] manual_axes={"x", "y"} (%arg0: tensor<2xi32>) {
    %2 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %5 = stablehlo.add %l, %r : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    %3 = stablehlo.partition_id : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    sdy.return %2, %6, %arg0 : tensor<2xi32>, tensor<1x2xi32>, tensor<2xi32>
  } : (tensor<4xi32>) -> (tensor<4xi32>, tensor<2x4xi32>, tensor<4xi32>)
  return %1#0, %1#1, %1#2 : tensor<4xi32>, tensor<2x4xi32>, tensor<4xi32>
}
// expect:
// tensor<4xi32> [2, 4, 2, 4]
// tensor<2x4xi32> [[0, 0, 1, 1], [2, 2, 3, 3]]
// tensor<4xi32> [0, 2, 4, 6]
