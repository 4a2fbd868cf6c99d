// test: microbatches count=2 statistics=local
// The mean of the batch is read by each example: it becomes that of the microbatch, twice the own sum through 8. The new
// running mean is still that of all examples, and so is the gradient's sum.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %r: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %eight = stablehlo.constant dense<8.0> : tensor<f32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %eight : tensor<f32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %z = stablehlo.subtract %y, %means : tensor<8xf32>
  %g = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  %running = stablehlo.add %r, %mean : tensor<f32>
  return %u, %running : tensor<4xf32>, tensor<f32>
}
// expect:
// batch of 8, passes: 1
// estimated: 1
// pass 0: Partial(Sum)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32>, %arg2: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
//     %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %0:5 = stablehlo.while(%iterArg = %c, %iterArg_4 = %cst_2, %iterArg_5 = %cst_3, %iterArg_6 = %arg1, %iterArg_7 = %arg0) : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %4 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %4 : tensor<i1>
//     } do {
//       %4 = stablehlo.reshape %iterArg_6 : (tensor<8x4xf32>) -> tensor<4x2x4xf32>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %5 = stablehlo.dynamic_slice %4, %c_8, %iterArg, %c_8, sizes = [4, 1, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x4xf32>
//       %6 = stablehlo.reshape %5 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//       %7 = stablehlo.dot_general %6, %iterArg_7, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
//       %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %8 = stablehlo.reduce(%7 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
//       %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
//       %9 = stablehlo.multiply %8, %cst_10 : tensor<f32>
//       %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
//       %10 = stablehlo.divide %9, %cst_11 : tensor<f32>
//       %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4xf32>
//       %12 = stablehlo.subtract %7, %11 : tensor<4xf32>
//       %13 = stablehlo.dot_general %6, %12, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
//       %c_12 = stablehlo.constant dense<1> : tensor<i32>
//       %14 = stablehlo.add %iterArg, %c_12 : tensor<i32>
//       %15 = stablehlo.add %iterArg_4, %8 : tensor<f32>
//       %16 = stablehlo.add %iterArg_5, %13 : tensor<4xf32>
//       stablehlo.return %14, %15, %16, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>
//     }
//     %1 = stablehlo.divide %0#1, %cst_0 : tensor<f32>
//     %2 = stablehlo.subtract %arg0, %0#2 : tensor<4xf32>
//     %3 = stablehlo.add %arg2, %1 : tensor<f32>
//     return %2, %3 : tensor<4xf32>, tensor<f32>
//   }
// }
