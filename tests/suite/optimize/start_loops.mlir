// test: optimize pass=start-loops machine=cpu8
// The stack that a loop fills is made when the last thing that the loop begins with is there; a small sum stays as it is.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %stack = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
  %sum = stablehlo.constant dense<0.0> : tensor<4096xf32>
  %x = stablehlo.tanh %a : tensor<64x4096xf32>
  %r:4 = stablehlo.while(%i = %zero, %s = %stack, %t = %sum, %y = %x) : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
  cond {
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %y, %i, %zero, sizes = [1, 4096] : (tensor<64x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4096xf32>
    %put = stablehlo.dynamic_update_slice %s, %row, %i, %zero : (tensor<64x4096xf32>, tensor<1x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
    %flat = stablehlo.reshape %row : (tensor<1x4096xf32>) -> tensor<4096xf32>
    %added = stablehlo.add %t, %flat : tensor<4096xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %put, %added, %y : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
  }
  return %r#1, %r#2 : tensor<64x4096xf32>, tensor<4096xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<64x4096xf32>) -> (tensor<64x4096xf32>, tensor<4096xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<64> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<4096xf32>
//     %0 = stablehlo.tanh %arg0 : tensor<64x4096xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %1:2 = stablehlo.optimization_barrier %cst_2, %0 : tensor<f32>, tensor<64x4096xf32>
//     %2 = stablehlo.broadcast_in_dim %1#0, dims = [] : (tensor<f32>) -> tensor<64x4096xf32>
//     %3:4 = stablehlo.while(%iterArg = %c, %iterArg_3 = %2, %iterArg_4 = %cst, %iterArg_5 = %1#1) : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
//     cond {
//       %4 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.dynamic_slice %iterArg_5, %iterArg, %c, sizes = [1, 4096] : (tensor<64x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4096xf32>
//       %5 = stablehlo.dynamic_update_slice %iterArg_3, %4, %iterArg, %c : (tensor<64x4096xf32>, tensor<1x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
//       %6 = stablehlo.reshape %4 : (tensor<1x4096xf32>) -> tensor<4096xf32>
//       %7 = stablehlo.add %iterArg_4, %6 : tensor<4096xf32>
//       %8 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %8, %5, %7, %iterArg_5 : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
//     }
//     return %3#1, %3#2 : tensor<64x4096xf32>, tensor<4096xf32>
//   }
// }
