// test: recompute again=1:7,3:6
// Two groups with a barrier each, and one in front of a reader that reads nothing but what is made again; reducers are
// copied too.
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  %1 = stablehlo.exponential %0 : tensor<8x8xf32>
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.add %3, %y : tensor<8xf32>
  %5 = stablehlo.sine %4 : tensor<8xf32>
  %6 = stablehlo.multiply %5, %3 : tensor<8xf32>
  %7 = stablehlo.negate %1 : tensor<8x8xf32>
  return %6, %7 : tensor<8xf32>, tensor<8x8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
//     %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
//     %1 = stablehlo.exponential %0 : tensor<8x8xf32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
//     %3 = stablehlo.add %2, %arg1 : tensor<8xf32>
//     %4 = stablehlo.sine %3 : tensor<8xf32>
//     %5:2 = stablehlo.optimization_barrier %4, %1 : tensor<8xf32>, tensor<8x8xf32>
//     %6 = stablehlo.reduce(%5#1 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
//     %7 = stablehlo.multiply %5#0, %6 : tensor<8xf32>
//     %8 = stablehlo.optimization_barrier %0 : tensor<8x8xf32>
//     %9 = stablehlo.exponential %8 : tensor<8x8xf32>
//     %10 = stablehlo.negate %9 : tensor<8x8xf32>
//     return %7, %10 : tensor<8xf32>, tensor<8x8xf32>
//   }
// }
// 0 results differ
