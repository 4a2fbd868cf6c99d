// test: normal
// Annotations stay: of what a loop carries, if anybody needs it, and of a barrier.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %dead = %a, %x = %b, %y = %c) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}]>, <@mesh, [{"x"}]>, <@mesh, [{?}]>]>}
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %1 = stablehlo.tanh %dead : tensor<4xf32>
    %2 = stablehlo.multiply %x, %y : tensor<4xf32>
    stablehlo.return %j, %1, %2, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  %3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} %a : tensor<4xf32>
  return %0#2, %3 : tensor<4xf32>, tensor<4xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1, %iterArg_1 = %arg2) : tensor<i32>, tensor<4xf32>, tensor<4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>, <@mesh, [{?}]>]>}
//     cond {
//       %c_2 = stablehlo.constant dense<5> : tensor<i32>
//       %2 = stablehlo.compare LT, %iterArg, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %c_2 = stablehlo.constant dense<1> : tensor<i32>
//       %2 = stablehlo.add %iterArg, %c_2 : tensor<i32>
//       %3 = stablehlo.multiply %iterArg_0, %iterArg_1 : tensor<4xf32>
//       stablehlo.return %2, %3, %iterArg_1 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
//     }
//     %1 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} %arg0 : tensor<4xf32>
//     return %0#1, %1 : tensor<4xf32>, tensor<4xf32>
//   }
// }
// loop of 5: carries [Counter, Chain, Unchanged]
