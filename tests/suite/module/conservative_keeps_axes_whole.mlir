// test: module strategy=basic conservative
// Half of an axis is not used, and nothing is sharded along a dim that is sliced.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.slice %a [0:4] : (tensor<8xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=4]>
//   func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2x4xf32>, tensor<4xf32>) {
//     %0 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<2x4xf32>
//     %1 = stablehlo.slice %arg0 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
//     return %0, %1 : tensor<2x4xf32>, tensor<4xf32>
//   }
// }
