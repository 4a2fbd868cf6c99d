// test: partition
// What has priority 0 is propagated to the end first: the constraints' axes, although arguments come before constraints
// otherwise. A dim without axes that is open from priority 1 on takes none before: of "x", which both dims of the third
// argument could have, its dim 1 is first.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {?}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}p1, {}]>}, %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p1, {?}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"x"}p0]> : tensor<8x4xf32>
  %2 = stablehlo.cosine %1 : tensor<8x4xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %4 = stablehlo.multiply %3, %b : tensor<8x4xf32>
  %5 = sdy.sharding_constraint %c <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %6 = stablehlo.transpose %c, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %7 = sdy.sharding_constraint %6 <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  return %2, %4, %5, %7 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}
// expect:
// all_to_all tensor<8x2xf32> dense<[[0, 2], [1, 3]]>
// all_to_all tensor<4x4xf32> dense<[[0, 2], [1, 3]]>
// collective_permute tensor<4x4xf32> dense<[[0, 0], [2, 1], [1, 2], [3, 3]]>
// all_to_all tensor<4x4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x8xf32>)
