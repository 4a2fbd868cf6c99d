// test: optimize pass=dead-code
// What nobody reads goes, collectives and what only they read too; a loop keeps what it carries.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<i32>) {
  %0 = stablehlo.tanh %a : tensor<2x4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.negate %1 : tensor<4x4xf32>
  %3 = stablehlo.abs %a : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.while(%i = %zero) : tensor<i32>
   cond {
    %5 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  } do {
    %5 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6 : tensor<i32>
  }
  return %3, %4 : tensor<2x4xf32>, tensor<i32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<i32>) {
//     %0 = stablehlo.abs %arg0 : tensor<2x4xf32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<3> : tensor<i32>
//     %1 = stablehlo.while(%iterArg = %c) : tensor<i32>
//     cond {
//       %2 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %2 : tensor<i1>
//     } do {
//       %2 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %2 : tensor<i32>
//     }
//     return %0, %1 : tensor<2x4xf32>, tensor<i32>
//   }
// }
