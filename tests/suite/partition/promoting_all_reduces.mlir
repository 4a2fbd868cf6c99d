// test: partition ints=60..100
// Sums that promote narrow integers are not formed of a sum of the narrow ones.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xi8>, %b: tensor<8x8xi8>) -> (tensor<8x8xi32>) {
  %1 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<4x8xi8>, %q: tensor<4x8xi8>) {
    %2 = "stablehlo.all_reduce"(%p) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %s = stablehlo.add %l, %r : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4x8xi8>) -> tensor<4x8xi32>
    %4 = "stablehlo.all_reduce"(%q) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %s = stablehlo.add %l, %r : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4x8xi8>) -> tensor<4x8xi32>
    %3 = stablehlo.add %2, %4 : tensor<4x8xi32>
    sdy.return %3 : tensor<4x8xi32>
  } : (tensor<8x8xi8>, tensor<8x8xi8>) -> (tensor<8x8xi32>)
  return %1 : tensor<8x8xi32>
}
// expect:
// all_reduce tensor<4x8xi32> dense<[[0, 1]]>
// all_reduce tensor<4x8xi32> dense<[[0, 1]]>
// (tensor<4x8xi8>, tensor<4x8xi8>) -> (tensor<4x8xi32>)
