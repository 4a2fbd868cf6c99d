// test: roundtrip
// Random numbers, select_and_scatter, functions of the chlo dialect, regions in their long and short form.
func.func @main(%a: tensor<10x24x24x64xf32>, %b: tensor<10x12x12x64xf32>, %c: tensor<f32>, %s: tensor<2xui64>, %n: tensor<3xi32>) -> tensor<10x24x24x64xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %n0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.rng %c, %c, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX {mark} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %2 = "stablehlo.select_and_scatter"(%a, %b, %c) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<10x24x24x64xf32>, tensor<10x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
  %3 = chlo.next_after %2, %2 : tensor<10x24x24x64xf32>, tensor<10x24x24x64xf32> -> tensor<10x24x24x64xf32>
  %4 = chlo.mulhi %n, %n : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  %5 = chlo.lgamma %3 : tensor<10x24x24x64xf32> -> tensor<10x24x24x64xf32>
  %6 = stablehlo.reduce(%n init: %n0) applies stablehlo.xor across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %7 = stablehlo.reduce(%n init: %n0) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
   reducer(%x: tensor<i32>, %y: tensor<i32>) {
    %p = stablehlo.add %y, %x : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }
  return %5 : tensor<10x24x24x64xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<10x24x24x64xf32>, %arg1: tensor<10x12x12x64xf32>, %arg2: tensor<f32>, %arg3: tensor<2xui64>, %arg4: tensor<3xi32>) -> tensor<10x24x24x64xf32> {
//     %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %0 = stablehlo.rng %arg2, %arg2, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
//     %output_state, %output = stablehlo.rng_bit_generator %arg3, algorithm = PHILOX {mark} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
//     %1 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %7 = stablehlo.compare GE, %arg5, %arg6, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
//       stablehlo.return %7 : tensor<i1>
//     }, {
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %7 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %7 : tensor<f32>
//     }) : (tensor<10x24x24x64xf32>, tensor<10x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
//     %2 = chlo.next_after %1, %1 : tensor<10x24x24x64xf32>, tensor<10x24x24x64xf32> -> tensor<10x24x24x64xf32>
//     %3 = chlo.mulhi %arg4, %arg4 : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
//     %4 = chlo.lgamma %2 : tensor<10x24x24x64xf32> -> tensor<10x24x24x64xf32>
//     %5 = stablehlo.reduce(%arg4 init: %c_0) applies stablehlo.xor across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
//     %6 = stablehlo.reduce(%arg4 init: %c_0) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
//      reducer(%arg5: tensor<i32>, %arg6: tensor<i32>)  {
//       %7 = stablehlo.add %arg6, %arg5 : tensor<i32>
//       stablehlo.return %7 : tensor<i32>
//     }
//     return %4 : tensor<10x24x24x64xf32>
//   }
// }
