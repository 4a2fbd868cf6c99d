// test: partition
// What one device contributes for all keeps the sign of its zeros: the largest of -0 and 0 is 0.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> tensor<4x1xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x3xi32>
  %1 = stablehlo.convert %0 : (tensor<4x3xi32>) -> tensor<4x3xf32>
  %2 = stablehlo.negate %1 : tensor<4x3xf32>
  %3 = stablehlo.slice %2 [0:4, 1:3] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.slice %1 [0:4, 0:1] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<4x3xf32>
  %values, %indices = chlo.top_k(%6, k = 1) : tensor<4x3xf32> -> (tensor<4x1xf32>, tensor<4x1xi32>)
  return %indices : tensor<4x1xi32>
}
// expect:
// all_reduce tensor<2x3xf32> dense<[[0, 1], [2, 3]]>
// all_gather tensor<4x3xf32> dense<[[0, 2], [1, 3]]>
// () -> (tensor<4x1xi32>)
