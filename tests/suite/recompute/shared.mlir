// test: recompute again=1:4,0:1
// What is made again stands in front of the first that needs it, and what reads it later shares it; the first run of the
// negation is for the sine, that of the tangent for the sum.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %x : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  %2 = stablehlo.sine %0 : tensor<8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  %4 = stablehlo.multiply %3, %1 : tensor<8xf32>
  %5 = stablehlo.add %4, %0 : tensor<8xf32>
  %6 = stablehlo.add %5, %1 : tensor<8xf32>
  return %5, %6 : tensor<8xf32>, tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
//     %0 = stablehlo.negate %arg0 : tensor<8xf32>
//     %1 = stablehlo.tanh %0 : tensor<8xf32>
//     %2 = stablehlo.sine %0 : tensor<8xf32>
//     %3 = stablehlo.add %1, %2 : tensor<8xf32>
//     %4:2 = stablehlo.optimization_barrier %3, %arg0 : tensor<8xf32>, tensor<8xf32>
//     %5 = stablehlo.negate %4#1 : tensor<8xf32>
//     %6 = stablehlo.tanh %5 : tensor<8xf32>
//     %7 = stablehlo.multiply %4#0, %6 : tensor<8xf32>
//     %8 = stablehlo.add %7, %5 : tensor<8xf32>
//     %9 = stablehlo.add %8, %6 : tensor<8xf32>
//     return %8, %9 : tensor<8xf32>, tensor<8xf32>
//   }
// }
// 0 results differ
