// test: module strategy=aggressive
// Both operands want "x", along different dims: the result takes it along the larger operand's.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>},
                %b: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}) -> tensor<8x32xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %arg1: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}) -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>}) {
//     %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}]>]>} : (tensor<8x4xf32>, tensor<4x32xf32>) -> tensor<8x32xf32>
//     return %0 : tensor<8x32xf32>
//   }
// }
