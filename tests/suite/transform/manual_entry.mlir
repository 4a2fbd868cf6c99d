// test: transform pass=manual-entry
// An entry function of one device along an axis is a manual computation along it.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=4]>
//   func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
//     %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y"}], replicated={"x"}>] out_shardings=[<@mesh, [{?}], replicated={"x"}>] manual_axes={"x"} (%arg1: tensor<8xf32>) {
//       %1 = stablehlo.tanh %arg1 : tensor<8xf32>
//       sdy.return %1 : tensor<8xf32>
//     } : (tensor<8xf32>) -> tensor<8xf32>
//     return %0 : tensor<8xf32>
//   }
// }
