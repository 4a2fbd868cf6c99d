// test: optimize pass=compute-once machine=cpu:2
// A table of floats that no argument has a part in, and sums in a loop, if they are large; not masks, positions, or what a
// barrier is behind.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %n: tensor<i32>, %large: tensor<256xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<256xf32>) {
  %iota = stablehlo.iota dim = 0 : tensor<8xi32>
  %float = stablehlo.convert %iota : (tensor<8xi32>) -> tensor<8xf32>
  %table = stablehlo.cosine %float : tensor<8xf32>
  %next = stablehlo.add %iota, %iota : tensor<8xi32>
  %mask = stablehlo.compare LT, %next, %iota : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %large) : tensor<i32>, tensor<8xf32>, tensor<256xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %x, %a : tensor<8xf32>
    %t = stablehlo.tanh %s : tensor<8xf32>
    %u = stablehlo.multiply %s, %t : tensor<8xf32>
    %v = stablehlo.add %y, %large : tensor<256xf32>
    %w = stablehlo.tanh %v : tensor<256xf32>
    %z = stablehlo.multiply %v, %w : tensor<256xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u, %z : tensor<i32>, tensor<8xf32>, tensor<256xf32>
  }
  %1 = stablehlo.multiply %a, %table : tensor<8xf32>
  %2 = stablehlo.select %mask, %1, %table : tensor<8xi1>, tensor<8xf32>
  %3 = stablehlo.add %2, %float : tensor<8xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<8xf32>
  %5 = stablehlo.select %mask, %3, %4 : tensor<8xi1>, tensor<8xf32>
  %6 = stablehlo.add %0#1, %float : tensor<8xf32>
  return %5, %6, %0#2 : tensor<8xf32>, tensor<8xf32>, tensor<256xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>, %arg2: tensor<256xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<256xf32>) {
//     %0 = stablehlo.iota dim = 0 : tensor<8xi32>
//     %1 = stablehlo.convert %0 : (tensor<8xi32>) -> tensor<8xf32>
//     %2 = stablehlo.cosine %1 : tensor<8xf32>
//     %3 = stablehlo.optimization_barrier %2 : tensor<8xf32>
//     %4 = stablehlo.add %0, %0 : tensor<8xi32>
//     %5 = stablehlo.compare LT, %4, %0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %6:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0, %iterArg_2 = %arg2) : tensor<i32>, tensor<8xf32>, tensor<256xf32>
//     cond {
//       %14 = stablehlo.compare LT, %iterArg, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %14 : tensor<i1>
//     } do {
//       %14 = stablehlo.add %iterArg_1, %arg0 : tensor<8xf32>
//       %15 = stablehlo.tanh %14 : tensor<8xf32>
//       %16 = stablehlo.multiply %14, %15 : tensor<8xf32>
//       %17 = stablehlo.add %iterArg_2, %arg2 : tensor<256xf32>
//       %18 = stablehlo.optimization_barrier %17 : tensor<256xf32>
//       %19 = stablehlo.tanh %18 : tensor<256xf32>
//       %20 = stablehlo.multiply %18, %19 : tensor<256xf32>
//       %21 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       stablehlo.return %21, %16, %20 : tensor<i32>, tensor<8xf32>, tensor<256xf32>
//     }
//     %7 = stablehlo.multiply %arg0, %3 : tensor<8xf32>
//     %8 = stablehlo.select %5, %7, %3 : tensor<8xi1>, tensor<8xf32>
//     %9 = stablehlo.add %8, %1 : tensor<8xf32>
//     %10 = stablehlo.optimization_barrier %9 : tensor<8xf32>
//     %11 = stablehlo.optimization_barrier %10 : tensor<8xf32>
//     %12 = stablehlo.select %5, %10, %11 : tensor<8xi1>, tensor<8xf32>
//     %13 = stablehlo.add %6#1, %1 : tensor<8xf32>
//     return %12, %13, %6#2 : tensor<8xf32>, tensor<8xf32>, tensor<256xf32>
//   }
// }
