// test: roundtrip
// The interpreter dialect.
func.func @program(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @feed() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%a: tensor<2xf32>) {
  %0 = interpreter.probe %a, probe_id = "p" : tensor<2xf32>
  interpreter.print %0 : tensor<2xf32>
  %1:2 = "interpreter.run_parallel"(%0, %a) {infeed = [@feed], programs = [[@program], [@program]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}
// expect:
// module {
//   func.func @program(%arg0: tensor<2xf32>) -> tensor<2xf32> {
//     return %arg0 : tensor<2xf32>
//   }
//   func.func @feed() -> tensor<2xf32> {
//     %cst = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
//     return %cst : tensor<2xf32>
//   }
//   func.func @main(%arg0: tensor<2xf32>) {
//     %0 = interpreter.probe %arg0, probe_id = "p" : tensor<2xf32>
//     interpreter.print %0 : tensor<2xf32>
//     %1:2 = "interpreter.run_parallel"(%0, %arg0) <{infeed = [@feed], programs = [[@program], [@program]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
//     return
//   }
// }
