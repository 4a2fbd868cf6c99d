// test: normal
// Literals, and what is larger than what it is made of, stay in the loop that reads them; what is made from them is known to be the same.
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.multiply %b, %half : tensor<4xf32>
  %2 = stablehlo.tanh %0 : tensor<8x4xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.add %2, %3 : tensor<8x4xf32>
  %5:2 = stablehlo.while(%i = %zero, %x = %4) : tensor<i32>, tensor<8x4xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %half_0 = stablehlo.constant dense<0.5> : tensor<4xf32>
    %6 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.multiply %b, %half_0 : tensor<4xf32>
    %8 = stablehlo.tanh %6 : tensor<8x4xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    %10 = stablehlo.multiply %8, %x : tensor<8x4xf32>
    %11 = stablehlo.add %10, %9 : tensor<8x4xf32>
    %12 = stablehlo.broadcast_in_dim %half_0, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8x4xf32>
    stablehlo.return %j, %13 : tensor<i32>, tensor<8x4xf32>
  }
  return %4, %5#1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
//     %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//     %1 = stablehlo.multiply %arg1, %cst : tensor<4xf32>
//     %2 = stablehlo.tanh %0 : tensor<8x4xf32>
//     %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//     %4 = stablehlo.add %2, %3 : tensor<8x4xf32>
//     %5:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %4) : tensor<i32>, tensor<8x4xf32>
//     cond {
//       %c_1 = stablehlo.constant dense<5> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %6 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
//       %7 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//       %8 = stablehlo.multiply %2, %iterArg_0 : tensor<8x4xf32>
//       %9 = stablehlo.add %8, %7 : tensor<8x4xf32>
//       %10 = stablehlo.broadcast_in_dim %cst_2, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//       %11 = stablehlo.divide %9, %10 : tensor<8x4xf32>
//       stablehlo.return %6, %11 : tensor<i32>, tensor<8x4xf32>
//     }
//     return %4, %5#1 : tensor<8x4xf32>, tensor<8x4xf32>
//   }
// }
// loop of 5: carries [Counter, Chain]
