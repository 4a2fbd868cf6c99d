// test: module
// A value that propagation shards may become unreduced as a maximum behind it: what is written reads back.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<6x6xf32> {
  %b = stablehlo.add %a, %a : tensor<6x6xf32>
  %0 = sdy.sharding_constraint %b <@mesh, [{?}, {?}], unreduced=max{"x"}> : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<6x6xf32> {
//     %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<6x6xf32>
//     %1 = sdy.reshard %0 <@mesh, [{}, {}], unreduced=max{"x"}> : tensor<6x6xf32>
//     return %1 : tensor<6x6xf32>
//   }
// }
