// test: module strategy=basic
// An axis of 6 is dealt to factors of 2 and 3 in either order.
sdy.mesh @mesh = <["x"=6]>
func.func @main(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %0 = stablehlo.reshape %a : (tensor<12xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.reshape %a : (tensor<12xf32>) -> tensor<2x6xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<2x6xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=6]>
//   func.func @main(%arg0: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3, ?}, {"x":(3)2, ?}]>}, tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}, {"x":(2)3, ?}]>}) {
//     %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)3, ?}, {"x":(3)2, ?}]>]>} : (tensor<12xf32>) -> tensor<3x4xf32>
//     %1 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2, ?}, {"x":(2)3, ?}]>]>} : (tensor<12xf32>) -> tensor<2x6xf32>
//     return %0, %1 : tensor<3x4xf32>, tensor<2x6xf32>
//   }
// }
