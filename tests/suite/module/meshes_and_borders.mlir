// test: module
// A mesh inside a sharding is declared; what does not divide at the border is cut to what does.
func.func @main(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "one"=1]>, [{"x"}, {"one"}]>}) -> tensor<6x8xf32> {
  %0 = stablehlo.sine %a : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=4, "one"=1]>
//   func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}) -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
//     %0 = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<6x8xf32>
//     return %0 : tensor<6x8xf32>
//   }
// }
