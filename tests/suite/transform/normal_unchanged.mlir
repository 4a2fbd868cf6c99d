// test: normal
// What a loop carries unchanged is read from outside, through a loop within and where the body makes it anew each time; what it carries twice, once.
func.func @main(%mask: tensor<4xi1>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.sine %a : tensor<4xf32>
  %0:7 = stablehlo.while(%i = %zero, %m = %mask, %k = %mask, %x = %a, %y = %a, %aux = %none, %t = %s) : tensor<i32>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %start = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%u = %start, %v = %k, %z = %x) : tensor<i32>, tensor<4xi1>, tensor<4xf32>
    cond {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %go = stablehlo.compare LT, %u, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %u, %one : tensor<i32>
      %2 = stablehlo.tanh %z : tensor<4xf32>
      %3 = stablehlo.select %v, %2, %z : tensor<4xi1>, tensor<4xf32>
      stablehlo.return %next, %v, %3 : tensor<i32>, tensor<4xi1>, tensor<4xf32>
    }
    %4 = stablehlo.select %m, %1#2, %t : tensor<4xi1>, tensor<4xf32>
    %5:3 = stablehlo.while(%u = %start, %v = %m, %z = %y) : tensor<i32>, tensor<4xi1>, tensor<4xf32>
    cond {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %go = stablehlo.compare LT, %u, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %u, %one : tensor<i32>
      %2 = stablehlo.tanh %z : tensor<4xf32>
      %3 = stablehlo.select %v, %2, %z : tensor<4xi1>, tensor<4xf32>
      stablehlo.return %next, %v, %3 : tensor<i32>, tensor<4xi1>, tensor<4xf32>
    }
    %6 = stablehlo.sine %a : tensor<4xf32>
    %7 = stablehlo.select %k, %5#2, %6 : tensor<4xi1>, tensor<4xf32>
    %zeros = stablehlo.constant dense<0.0> : tensor<f32>
    stablehlo.return %j, %1#1, %m, %4, %7, %zeros, %6 : tensor<i32>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>
  }
  return %0#3, %0#4, %0#6, %0#5, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi1>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi1>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.sine %arg1 : tensor<4xf32>
//     %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1) : tensor<i32>, tensor<4xf32>
//     cond {
//       %c_1 = stablehlo.constant dense<5> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       %c_2 = stablehlo.constant dense<0> : tensor<i32>
//       %3:2 = stablehlo.while(%iterArg_3 = %c_2, %iterArg_4 = %iterArg_0) : tensor<i32>, tensor<4xf32>
//       cond {
//         %c_5 = stablehlo.constant dense<2> : tensor<i32>
//         %5 = stablehlo.compare LT, %iterArg_3, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//         stablehlo.return %5 : tensor<i1>
//       } do {
//         %5 = stablehlo.add %iterArg_3, %c_1 : tensor<i32>
//         %6 = stablehlo.tanh %iterArg_4 : tensor<4xf32>
//         %7 = stablehlo.select %arg0, %6, %iterArg_4 : tensor<4xi1>, tensor<4xf32>
//         stablehlo.return %5, %7 : tensor<i32>, tensor<4xf32>
//       }
//       %4 = stablehlo.select %arg0, %3#1, %0 : tensor<4xi1>, tensor<4xf32>
//       stablehlo.return %2, %4 : tensor<i32>, tensor<4xf32>
//     }
//     return %1#1, %1#1, %0, %cst, %arg0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi1>
//   }
// }
// loop of 5: carries [Counter, Chain]
// loop of 2: carries [Counter, Chain]
