// test: transform variant=early-updates
// A parameter is updated as soon as its gradient is there and nothing reads it any more: the first one waits for the
// product that reads it. A last gradient leads to few results, so that it stands with its update.
func.func @main(%p0: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %p1: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %p2: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %p3: tensor<8xf32> {tf.aliasing_output = 3 : i32}, %p4: tensor<8xf32> {tf.aliasing_output = 4 : i32}, %p5: tensor<8xf32> {tf.aliasing_output = 5 : i32}, %p6: tensor<8xf32> {tf.aliasing_output = 6 : i32}, %p7: tensor<8xf32> {tf.aliasing_output = 7 : i32}, %p8: tensor<8xf32> {tf.aliasing_output = 8 : i32}, %p9: tensor<8xf32> {tf.aliasing_output = 9 : i32}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %g0 = stablehlo.tanh %x : tensor<8xf32>
  %g1 = stablehlo.power %g0, %x : tensor<8xf32>
  %g2 = stablehlo.power %g1, %x : tensor<8xf32>
  %g3 = stablehlo.power %g2, %x : tensor<8xf32>
  %g4 = stablehlo.multiply %g3, %p0 : tensor<8xf32>
  %g5 = stablehlo.power %g4, %x : tensor<8xf32>
  %g6 = stablehlo.power %g5, %x : tensor<8xf32>
  %g7 = stablehlo.power %g6, %x : tensor<8xf32>
  %g8 = stablehlo.power %g7, %x : tensor<8xf32>
  %g9 = stablehlo.power %g8, %x : tensor<8xf32>
  %n0 = stablehlo.subtract %p0, %g0 : tensor<8xf32>
  %n1 = stablehlo.subtract %p1, %g1 : tensor<8xf32>
  %n2 = stablehlo.subtract %p2, %g2 : tensor<8xf32>
  %n3 = stablehlo.subtract %p3, %g3 : tensor<8xf32>
  %n4 = stablehlo.subtract %p4, %g4 : tensor<8xf32>
  %n5 = stablehlo.subtract %p5, %g5 : tensor<8xf32>
  %n6 = stablehlo.subtract %p6, %g6 : tensor<8xf32>
  %n7 = stablehlo.subtract %p7, %g7 : tensor<8xf32>
  %n8 = stablehlo.subtract %p8, %g8 : tensor<8xf32>
  %n9 = stablehlo.subtract %p9, %g9 : tensor<8xf32>
  return %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
//     %0 = stablehlo.tanh %arg10 : tensor<8xf32>
//     %1 = stablehlo.subtract %arg0, %0 : tensor<8xf32>
//     %2 = stablehlo.power %0, %arg10 : tensor<8xf32>
//     %3 = stablehlo.power %2, %arg10 : tensor<8xf32>
//     %4 = stablehlo.power %3, %arg10 : tensor<8xf32>
//     %5 = stablehlo.multiply %4, %arg0 : tensor<8xf32>
//     %6 = stablehlo.power %5, %arg10 : tensor<8xf32>
//     %7 = stablehlo.power %6, %arg10 : tensor<8xf32>
//     %8 = stablehlo.power %7, %arg10 : tensor<8xf32>
//     %9 = stablehlo.power %8, %arg10 : tensor<8xf32>
//     %10 = stablehlo.power %9, %arg10 : tensor<8xf32>
//     %11 = stablehlo.subtract %arg2, %3 : tensor<8xf32>
//     %12 = stablehlo.subtract %arg3, %4 : tensor<8xf32>
//     %13 = stablehlo.subtract %arg4, %5 : tensor<8xf32>
//     %14 = stablehlo.subtract %arg5, %6 : tensor<8xf32>
//     %15 = stablehlo.subtract %arg6, %7 : tensor<8xf32>
//     %16 = stablehlo.subtract %arg7, %8 : tensor<8xf32>
//     %17 = stablehlo.subtract %arg8, %9 : tensor<8xf32>
//     %18 = stablehlo.subtract %arg9, %10 : tensor<8xf32>
//     %19 = stablehlo.subtract %arg1, %2 : tensor<8xf32>
//     return %1, %19, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
//   }
// }
