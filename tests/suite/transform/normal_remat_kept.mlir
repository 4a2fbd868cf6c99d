// test: normal barriers=kept
// A barrier that is kept keeps apart what is before it and what is behind it.
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> (tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.sine %2 : tensor<8x16xf32>
  %4 = stablehlo.cosine %2 : tensor<8x16xf32>
  %5:4 = stablehlo.optimization_barrier %x, %w, %v, %4 : tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>
  %6 = stablehlo.dot_general %5#0, %5#1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %7 = stablehlo.tanh %6 : tensor<8x16xf32>
  %8 = stablehlo.dot_general %7, %5#3, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %9 = stablehlo.dot_general %5#3, %5#2, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %10 = stablehlo.multiply %7, %7 : tensor<8x16xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<8x16xf32>
  %12 = stablehlo.dot_general %5#0, %11, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return %3, %12, %8 : tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>) -> (tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
//     %1 = stablehlo.tanh %0 : tensor<8x16xf32>
//     %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
//     %3 = stablehlo.sine %2 : tensor<8x16xf32>
//     %4 = stablehlo.cosine %2 : tensor<8x16xf32>
//     %5:4 = stablehlo.optimization_barrier %arg0, %arg1, %arg2, %4 : tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>
//     %6 = stablehlo.dot_general %5#0, %5#1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
//     %7 = stablehlo.tanh %6 : tensor<8x16xf32>
//     %8 = stablehlo.dot_general %7, %5#3, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
//     %9 = stablehlo.dot_general %5#3, %5#2, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
//     %10 = stablehlo.multiply %7, %7 : tensor<8x16xf32>
//     %11 = stablehlo.multiply %9, %10 : tensor<8x16xf32>
//     %12 = stablehlo.dot_general %5#0, %11, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
//     return %3, %12, %8 : tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
//   }
// }
