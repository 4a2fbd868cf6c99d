// test: microbatches count=2
// What depends on the position of an example keeps it: microbatch m has the examples m, m + 2, ... Batch and tokens may
// be one dim.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<12xi32>
  %r = stablehlo.reshape %i : (tensor<12xi32>) -> tensor<4x3xi32>
  %p = stablehlo.convert %r : (tensor<4x3xi32>) -> tensor<4x3xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x3x4xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  %e = stablehlo.multiply %y, %p : tensor<4x3xf32>
  %g = stablehlo.dot_general %x, %e, contracting_dims = [0, 1] x [0, 1] : (tensor<4x3x4xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}
// expect:
// batch of 4, passes: 1
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x3x4xf32>) -> tensor<4xf32> {
//     %0 = stablehlo.iota dim = 0 : tensor<12xi32>
//     %1 = stablehlo.reshape %0 : (tensor<12xi32>) -> tensor<4x3xi32>
//     %2 = stablehlo.convert %1 : (tensor<4x3xi32>) -> tensor<4x3xf32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %3:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %cst, %iterArg_1 = %arg1, %iterArg_2 = %arg0) : tensor<i32>, tensor<4xf32>, tensor<4x3x4xf32>, tensor<4xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<2> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.reshape %iterArg_1 : (tensor<4x3x4xf32>) -> tensor<2x2x3x4xf32>
//       %c_3 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %5, %c_3, %iterArg, %c_3, %c_3, sizes = [2, 1, 3, 4] : (tensor<2x2x3x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x3x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
//       %8 = stablehlo.dot_general %7, %iterArg_2, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
//       %9 = stablehlo.iota dim = 0 : tensor<6xi32>
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %10 = stablehlo.multiply %iterArg, %c_4 : tensor<i32>
//       %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i32>) -> tensor<6xi32>
//       %c_5 = stablehlo.constant dense<3> : tensor<6xi32>
//       %12 = stablehlo.divide %9, %c_5 : tensor<6xi32>
//       %c_6 = stablehlo.constant dense<3> : tensor<6xi32>
//       %13 = stablehlo.multiply %12, %c_6 : tensor<6xi32>
//       %14 = stablehlo.add %9, %13 : tensor<6xi32>
//       %15 = stablehlo.add %14, %11 : tensor<6xi32>
//       %16 = stablehlo.reshape %15 : (tensor<6xi32>) -> tensor<2x3xi32>
//       %17 = stablehlo.convert %16 : (tensor<2x3xi32>) -> tensor<2x3xf32>
//       %18 = stablehlo.multiply %8, %17 : tensor<2x3xf32>
//       %19 = stablehlo.dot_general %7, %18, contracting_dims = [0, 1] x [0, 1] : (tensor<2x3x4xf32>, tensor<2x3xf32>) -> tensor<4xf32>
//       %c_7 = stablehlo.constant dense<1> : tensor<i32>
//       %20 = stablehlo.add %iterArg, %c_7 : tensor<i32>
//       %21 = stablehlo.add %iterArg_0, %19 : tensor<4xf32>
//       stablehlo.return %20, %21, %iterArg_1, %iterArg_2 : tensor<i32>, tensor<4xf32>, tensor<4x3x4xf32>, tensor<4xf32>
//     }
//     %4 = stablehlo.subtract %arg0, %3#1 : tensor<4xf32>
//     return %4 : tensor<4xf32>
//   }
// }
