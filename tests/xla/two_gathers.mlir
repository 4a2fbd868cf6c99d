// Two values that are gathered along their last dims, where one collective could do: XLA must give the right numbers.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(%a: tensor<4x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>},
                       %b: tensor<4x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>},
                       %c: tensor<4x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>})
    -> (tensor<4x16x16xf32>, tensor<4x16x32xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x16x32xf32>, tensor<4x32x16xf32>) -> tensor<4x16x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {}, {"x"}]> : tensor<4x16x16xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}, {}, {}]> : tensor<4x16x16xf32>
  %3 = sdy.sharding_constraint %c <@mesh, [{"y"}, {}, {}]> : tensor<4x32x16xf32>
  %4 = stablehlo.dot_general %2, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x16x16xf32>, tensor<4x32x16xf32>) -> tensor<4x16x32xf32>
  return %2, %4 : tensor<4x16x16xf32>, tensor<4x16x32xf32>
}
