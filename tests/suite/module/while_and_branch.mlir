// test: module
// A sharding inside a loop's body reaches what enters the loop and what leaves it; a branch ties what its regions return.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %choice: tensor<i32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%v = %a, %i = %zero) : tensor<8x8xf32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.sine %v {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>} : tensor<8x8xf32>
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %s, %n : tensor<8x8xf32>, tensor<i32>
    }
  %1 = "stablehlo.case"(%choice) ({
    stablehlo.return %0#0 : tensor<8x8xf32>
  }, {
    stablehlo.return %b : tensor<8x8xf32>
  }) : (tensor<i32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=2]>
//   func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<i32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
//     %0 = sdy.constant dense<0> : tensor<i32>
//     %1 = sdy.constant dense<1> : tensor<i32>
//     %2 = sdy.constant dense<4> : tensor<i32>
//     %3:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %0) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>]>}
//     cond {
//       %5 = stablehlo.compare LT, %iterArg_0, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.sine %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
//       %6 = stablehlo.add %iterArg_0, %1 : tensor<i32>
//       stablehlo.return %5, %6 : tensor<8x8xf32>, tensor<i32>
//     }
//     %4 = "stablehlo.case"(%arg2) ({
//       stablehlo.return %3#0 : tensor<8x8xf32>
//     }, {
//       stablehlo.return %arg1 : tensor<8x8xf32>
//     }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<i32>) -> tensor<8x8xf32>
//     return %4 : tensor<8x8xf32>
//   }
// }
