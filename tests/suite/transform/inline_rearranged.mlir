// test: transform pass=inline
// Parts of a value that are put together anew are one rearrangement, which comes from the concatenation.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %a [6:8] : (tensor<8xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %a [0:6] : (tensor<8xf32>) -> tensor<6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xf32>, tensor<6xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
//     %0 = "meshwright.rearrange"(%arg0) <{dim = 0 : i64, parts = array<i64: 0, 6, 2, 0, 0, 0, 6, 0>}> : (tensor<8xf32>) -> tensor<8xf32>
//     return %0 : tensor<8xf32>
//   }
// }
// meshwright.rearrange: @main stablehlo.concatenate
// func.return: @main func.return
