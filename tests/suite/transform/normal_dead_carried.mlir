// test: normal
// A loop carries nothing for nobody: not what only feeds itself, nor what only that needs. Arguments keep their place in names.
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:5 = stablehlo.while(%loss = %a, %i = %zero, %of = %b, %x = %c, %by = %a) : tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %1 = stablehlo.sine %of : tensor<4xf32>
    %2 = stablehlo.add %loss, %1 : tensor<4xf32>
    %3 = stablehlo.multiply %x, %by : tensor<4xf32>
    %4 = stablehlo.cosine %by : tensor<4xf32>
    stablehlo.return %2, %j, %1, %3, %4 : tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#3 : tensor<4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2, %iterArg_1 = %arg0) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
//     cond {
//       %c_2 = stablehlo.constant dense<5> : tensor<i32>
//       %1 = stablehlo.compare LT, %iterArg, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %1 : tensor<i1>
//     } do {
//       %c_2 = stablehlo.constant dense<1> : tensor<i32>
//       %1 = stablehlo.add %iterArg, %c_2 : tensor<i32>
//       %2 = stablehlo.multiply %iterArg_0, %iterArg_1 : tensor<4xf32>
//       %3 = stablehlo.cosine %iterArg_1 : tensor<4xf32>
//       stablehlo.return %1, %2, %3 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
//     }
//     return %0#1 : tensor<4xf32>
//   }
// }
// loop of 5: carries [Counter, Chain, Chain]
