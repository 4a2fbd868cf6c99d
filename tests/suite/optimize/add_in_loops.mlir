// test: optimize pass=add-in-loops
// A stack that a loop fills from its end, to be added to what is there before, is added in the loop. Not one of parts that
// overlap, one that is added to what something else reads too, and one that is read in the loop.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%acc: tensor<3x4xf32>, %other: tensor<3x4xf32>, %read: tensor<3x4xf32>, %wide: tensor<3x4xf32>, %x: tensor<4xf32>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %0:6 = stablehlo.while(%i = %zero, %h = %x, %s = %zeros, %t = %zeros, %u = %zeros, %v = %zeros)
      : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %g = stablehlo.tanh %h : tensor<4xf32>
    %part = stablehlo.reshape %g : (tensor<4xf32>) -> tensor<1x4xf32>
    %at = stablehlo.subtract %two, %i : tensor<i32>
    %s1 = stablehlo.dynamic_update_slice %s, %part, %at, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %part, %at, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %old = stablehlo.dynamic_slice %u, %at, %zero, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %more = stablehlo.add %old, %part : tensor<1x4xf32>
    %u1 = stablehlo.dynamic_update_slice %u, %more, %at, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %both = stablehlo.concatenate %part, %part, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %v1 = stablehlo.dynamic_update_slice %v, %both, %i, %zero : (tensor<3x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %g, %s1, %t1, %u1, %v1 : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  %1 = stablehlo.add %acc, %0#2 : tensor<3x4xf32>
  %2 = stablehlo.add %0#3, %other : tensor<3x4xf32>
  %3 = stablehlo.add %read, %0#4 : tensor<3x4xf32>
  %4 = stablehlo.add %wide, %0#5 : tensor<3x4xf32>
  return %1, %2, %3, %4, %other : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<3x4xf32>, %arg4: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<2> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<3x4xf32>
//     %0:6 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg4, %iterArg_3 = %arg0, %iterArg_4 = %cst, %iterArg_5 = %cst, %iterArg_6 = %cst) : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
//     cond {
//       %4 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.tanh %iterArg_2 : tensor<4xf32>
//       %5 = stablehlo.reshape %4 : (tensor<4xf32>) -> tensor<1x4xf32>
//       %6 = stablehlo.subtract %c_1, %iterArg : tensor<i32>
//       %7 = stablehlo.dynamic_slice %iterArg_3, %6, %c, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       %8 = stablehlo.add %7, %5 : tensor<1x4xf32>
//       %9 = stablehlo.dynamic_update_slice %iterArg_3, %8, %6, %c : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//       %10 = stablehlo.dynamic_update_slice %iterArg_4, %5, %6, %c : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//       %11 = stablehlo.dynamic_slice %iterArg_5, %6, %c, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
//       %12 = stablehlo.add %11, %5 : tensor<1x4xf32>
//       %13 = stablehlo.dynamic_update_slice %iterArg_5, %12, %6, %c : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//       %14 = stablehlo.concatenate %5, %5, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
//       %15 = stablehlo.dynamic_update_slice %iterArg_6, %14, %iterArg, %c : (tensor<3x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//       %16 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %16, %4, %9, %10, %13, %15 : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
//     }
//     %1 = stablehlo.add %0#3, %arg1 : tensor<3x4xf32>
//     %2 = stablehlo.add %arg2, %0#4 : tensor<3x4xf32>
//     %3 = stablehlo.add %arg3, %0#5 : tensor<3x4xf32>
//     return %0#2, %1, %2, %3, %arg1 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
//   }
// }
