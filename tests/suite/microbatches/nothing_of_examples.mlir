// test: microbatches count=2
// Tensors without elements are cut where they hold the batch.
func.func @main(%w: tensor<3x5xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x3xf32>, %t: tensor<8x5xf32>) -> (tensor<3x5xf32>, tensor<8xf32>, tensor<0x5xf32>) {
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<3x5xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
  %e = stablehlo.subtract %y, %t : tensor<8x5xf32>
  %s = stablehlo.multiply %e, %e : tensor<8x5xf32>
  %l = stablehlo.reduce(%s init: %f0) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
  %c = stablehlo.slice %e [0:8, 0:0] : (tensor<8x5xf32>) -> tensor<8x0xf32>
  %q = stablehlo.reduce(%c init: %f0) applies stablehlo.add across dimensions = [1] : (tensor<8x0xf32>, tensor<f32>) -> tensor<8xf32>
  %p = stablehlo.slice %e [0:0, 0:5] : (tensor<8x5xf32>) -> tensor<0x5xf32>
  %g = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  %d = stablehlo.multiply %g, %rate : tensor<3x5xf32>
  %n = stablehlo.subtract %w, %d : tensor<3x5xf32>
  return %n, %q, %p : tensor<3x5xf32>, tensor<8xf32>, tensor<0x5xf32>
}
// expect:
// batch of 8, passes: 1
// pass 0: Cut(0)
// pass 0: Cut(0)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<3x5xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x3xf32>, %arg2: tensor<8x5xf32>) -> (tensor<3x5xf32>, tensor<8xf32>, tensor<0x5xf32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x2x5xf32>
//     %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<4x2xf32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<3x5xf32>
//     %0:7 = stablehlo.while(%iterArg = %c, %iterArg_4 = %cst_0, %iterArg_5 = %cst_1, %iterArg_6 = %cst_2, %iterArg_7 = %arg1, %iterArg_8 = %arg0, %iterArg_9 = %arg2) : tensor<i32>, tensor<4x2x5xf32>, tensor<4x2xf32>, tensor<3x5xf32>, tensor<8x3xf32>, tensor<3x5xf32>, tensor<8x5xf32>
//     cond {
//       %c_10 = stablehlo.constant dense<2> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_10 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %6 = stablehlo.reshape %iterArg_7 : (tensor<8x3xf32>) -> tensor<4x2x3xf32>
//       %c_10 = stablehlo.constant dense<0> : tensor<i32>
//       %7 = stablehlo.dynamic_slice %6, %c_10, %iterArg, %c_10, sizes = [4, 1, 3] : (tensor<4x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x3xf32>
//       %8 = stablehlo.reshape %7 : (tensor<4x1x3xf32>) -> tensor<4x3xf32>
//       %9 = stablehlo.dot_general %8, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
//       %10 = stablehlo.reshape %iterArg_9 : (tensor<8x5xf32>) -> tensor<4x2x5xf32>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %11 = stablehlo.dynamic_slice %10, %c_11, %iterArg, %c_11, sizes = [4, 1, 5] : (tensor<4x2x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x5xf32>
//       %12 = stablehlo.reshape %11 : (tensor<4x1x5xf32>) -> tensor<4x5xf32>
//       %13 = stablehlo.subtract %9, %12 : tensor<4x5xf32>
//       %14 = stablehlo.slice %13 [0:4, 0:0] : (tensor<4x5xf32>) -> tensor<4x0xf32>
//       %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %15 = stablehlo.reduce(%14 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
//       %16 = stablehlo.dot_general %8, %13, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
//       %c_13 = stablehlo.constant dense<1> : tensor<i32>
//       %17 = stablehlo.add %iterArg, %c_13 : tensor<i32>
//       %18 = stablehlo.reshape %13 : (tensor<4x5xf32>) -> tensor<4x1x5xf32>
//       %c_14 = stablehlo.constant dense<0> : tensor<i32>
//       %19 = stablehlo.dynamic_update_slice %iterArg_4, %18, %c_14, %iterArg, %c_14 : (tensor<4x2x5xf32>, tensor<4x1x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x5xf32>
//       %20 = stablehlo.reshape %15 : (tensor<4xf32>) -> tensor<4x1xf32>
//       %c_15 = stablehlo.constant dense<0> : tensor<i32>
//       %21 = stablehlo.dynamic_update_slice %iterArg_5, %20, %c_15, %iterArg : (tensor<4x2xf32>, tensor<4x1xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
//       %22 = stablehlo.add %iterArg_6, %16 : tensor<3x5xf32>
//       stablehlo.return %17, %19, %21, %22, %iterArg_7, %iterArg_8, %iterArg_9 : tensor<i32>, tensor<4x2x5xf32>, tensor<4x2xf32>, tensor<3x5xf32>, tensor<8x3xf32>, tensor<3x5xf32>, tensor<8x5xf32>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<4x2x5xf32>) -> tensor<8x5xf32>
//     %2 = stablehlo.reshape %0#2 : (tensor<4x2xf32>) -> tensor<8xf32>
//     %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<3x5xf32>
//     %3 = stablehlo.slice %1 [0:0, 0:5] : (tensor<8x5xf32>) -> tensor<0x5xf32>
//     %4 = stablehlo.multiply %0#3, %cst_3 : tensor<3x5xf32>
//     %5 = stablehlo.subtract %arg0, %4 : tensor<3x5xf32>
//     return %5, %2, %3 : tensor<3x5xf32>, tensor<8xf32>, tensor<0x5xf32>
//   }
// }
