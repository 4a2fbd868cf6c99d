// test: recompute again=2:5,1:2
// What nothing reads in the forward pass is moved to where it is read; what it reads is kept through the barrier, and what
// is made of constants is read as it is.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = stablehlo.add %0, %y : tensor<8xf32>
  %4 = stablehlo.sine %3 : tensor<8xf32>
  %5 = stablehlo.multiply %4, %2 : tensor<8xf32>
  return %3, %5 : tensor<8xf32>, tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
//     %0 = stablehlo.tanh %arg0 : tensor<8xf32>
//     %1 = stablehlo.add %0, %arg1 : tensor<8xf32>
//     %2 = stablehlo.sine %1 : tensor<8xf32>
//     %3:2 = stablehlo.optimization_barrier %2, %0 : tensor<8xf32>, tensor<8xf32>
//     %4 = stablehlo.multiply %3#1, %3#1 : tensor<8xf32>
//     %5 = stablehlo.negate %4 : tensor<8xf32>
//     %6 = stablehlo.multiply %3#0, %5 : tensor<8xf32>
//     return %1, %6 : tensor<8xf32>, tensor<8xf32>
//   }
// }
// 0 results differ
