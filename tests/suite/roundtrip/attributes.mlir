// test: roundtrip
// Numbers of 64 bits leave out their type in lists, but not in dictionaries; the return of StableHLO has its attributes
// behind the operands.
func.func @main(%arg0: tensor<f32>) -> tensor<f32> attributes {test.list = [1, 2 : i64, 3 : i32, 0.5, 0.1 : f32, 0x7FF0000000000000 : f64, [4]], test.one = {a = 1, b = 0.1 : f32, c = [5 : i64]}} {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%0) ({
    stablehlo.return %arg0 : tensor<f32>
  }, {
    stablehlo.return %arg0 {test.note} : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return {test.note} %1 : tensor<f32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<f32>) -> tensor<f32> attributes {test.list = [1, 2, 3 : i32, 5.000000e-01, 1.000000e-01 : f32, 0x7FF0000000000000 : f64, [4]], test.one = {a = 1 : i64, b = 1.000000e-01 : f32, c = [5]}} {
//     %c = stablehlo.constant dense<true> : tensor<i1>
//     %0 = "stablehlo.if"(%c) ({
//       stablehlo.return %arg0 : tensor<f32>
//     }, {
//       stablehlo.return %arg0 {test.note} : tensor<f32>
//     }) : (tensor<i1>) -> tensor<f32>
//     return {test.note} %0 : tensor<f32>
//   }
// }
