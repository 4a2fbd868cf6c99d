// test: module
// Free axes cross the border of a manual computation both ways; the manual axis "y" stays outside.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {?}]>] out_shardings=[<@mesh, [{"y"}, {?}]>] manual_axes={"y"} (%b: tensor<4x8xf32>) {
    %1 = stablehlo.sine %b : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.negate %0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=2]>
//   func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
//     %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y"}, {"x"}]>] out_shardings=[<@mesh, [{"y"}, {"x"}]>] manual_axes={"y"} (%arg1: tensor<4x8xf32>) {
//       %2 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
//       sdy.return %2 : tensor<4x8xf32>
//     } : (tensor<8x8xf32>) -> tensor<8x8xf32>
//     %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<8x8xf32>
//     return %1 : tensor<8x8xf32>
//   }
// }
