// test: microbatches count=2
// Contributions in narrow floats are added up in f32; what each example has is put side by side; a maximum stays one.
func.func @main(%w: tensor<4xbf16> {tf.aliasing_output = 0 : i32}, %x: tensor<4x4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>) {
  %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %top = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<4xbf16>, tensor<bf16>) -> tensor<bf16>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %u = stablehlo.subtract %w, %g : tensor<4xbf16>
  return %u, %y, %top : tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>
}
// expect:
// batch of 4, passes: 1
// pass 0: Cut(0)
// pass 0: Partial(Max)
// pass 0: Partial(Sum)
// module {
//   func.func @main(%arg0: tensor<4xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>) {
//     %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x2xbf16>
//     %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
//     %0:6 = stablehlo.while(%iterArg = %c, %iterArg_3 = %cst_0, %iterArg_4 = %cst_1, %iterArg_5 = %cst_2, %iterArg_6 = %arg1, %iterArg_7 = %arg0) : tensor<i32>, tensor<2x2xbf16>, tensor<f32>, tensor<4xf32>, tensor<4x4xbf16>, tensor<4xbf16>
//     cond {
//       %c_8 = stablehlo.constant dense<2> : tensor<i32>
//       %5 = stablehlo.compare LT, %iterArg, %c_8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %5 : tensor<i1>
//     } do {
//       %5 = stablehlo.reshape %iterArg_6 : (tensor<4x4xbf16>) -> tensor<2x2x4xbf16>
//       %c_8 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %5, %c_8, %iterArg, %c_8, sizes = [2, 1, 4] : (tensor<2x2x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4xbf16>
//       %7 = stablehlo.reshape %6 : (tensor<2x1x4xbf16>) -> tensor<2x4xbf16>
//       %8 = stablehlo.dot_general %7, %iterArg_7, contracting_dims = [1] x [0] : (tensor<2x4xbf16>, tensor<4xbf16>) -> tensor<2xbf16>
//       %cst_9 = stablehlo.constant dense<0xFF80> : tensor<bf16>
//       %9 = stablehlo.reduce(%8 init: %cst_9) applies stablehlo.maximum across dimensions = [0] : (tensor<2xbf16>, tensor<bf16>) -> tensor<bf16>
//       %10 = stablehlo.dot_general %7, %8, contracting_dims = [0] x [0] : (tensor<2x4xbf16>, tensor<2xbf16>) -> tensor<4xbf16>
//       %c_10 = stablehlo.constant dense<1> : tensor<i32>
//       %11 = stablehlo.add %iterArg, %c_10 : tensor<i32>
//       %12 = stablehlo.reshape %8 : (tensor<2xbf16>) -> tensor<2x1xbf16>
//       %c_11 = stablehlo.constant dense<0> : tensor<i32>
//       %13 = stablehlo.dynamic_update_slice %iterArg_3, %12, %c_11, %iterArg : (tensor<2x2xbf16>, tensor<2x1xbf16>, tensor<i32>, tensor<i32>) -> tensor<2x2xbf16>
//       %14 = stablehlo.convert %9 : (tensor<bf16>) -> tensor<f32>
//       %15 = stablehlo.maximum %iterArg_4, %14 : tensor<f32>
//       %16 = stablehlo.convert %10 : (tensor<4xbf16>) -> tensor<4xf32>
//       %17 = stablehlo.add %iterArg_5, %16 : tensor<4xf32>
//       stablehlo.return %11, %13, %15, %17, %iterArg_6, %iterArg_7 : tensor<i32>, tensor<2x2xbf16>, tensor<f32>, tensor<4xf32>, tensor<4x4xbf16>, tensor<4xbf16>
//     }
//     %1 = stablehlo.reshape %0#1 : (tensor<2x2xbf16>) -> tensor<4xbf16>
//     %2 = stablehlo.convert %0#2 : (tensor<f32>) -> tensor<bf16>
//     %3 = stablehlo.convert %0#3 : (tensor<4xf32>) -> tensor<4xbf16>
//     %4 = stablehlo.subtract %arg0, %3 : tensor<4xbf16>
//     return %4, %1, %2 : tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>
//   }
// }
