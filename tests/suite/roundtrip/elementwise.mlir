// test: roundtrip
// Elementwise ops print one type where all types are alike, else a signature.
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<f32>, %arg3: tensor<4xi1>, %arg4: tensor<i1>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.compare EQ, %0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.select %arg3, %0, %arg0 : tensor<4xi1>, tensor<4xf32>
  %5 = stablehlo.select %arg4, %0, %arg0 : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.clamp %arg2, %arg0, %arg2 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.clamp %4, %5, %6 : tensor<4xf32>
  %8 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>
  %9 = stablehlo.convert %8 : tensor<4xf32>
  %10 = stablehlo.reduce_precision %9, format = e5m10 : tensor<4xf32>
  %11 = stablehlo.bitcast_convert %10 : (tensor<4xf32>) -> tensor<4xi32>
  %12 = stablehlo.bitcast_convert %11 : (tensor<4xi32>) -> tensor<4x4xi8>
  %13 = stablehlo.popcnt %11 : tensor<4xi32>
  %14 = chlo.erf %7 : tensor<4xf32> -> tensor<4xf32>
  %15 = chlo.is_inf %14 : tensor<4xf32> -> tensor<4xi1>
  %16 = stablehlo.exponential %14 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return %16 : tensor<4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<f32>, %arg3: tensor<4xi1>, %arg4: tensor<i1>) -> tensor<4xf32> {
//     %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
//     %1 = stablehlo.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>
//     %2 = stablehlo.compare LT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
//     %3 = stablehlo.compare EQ, %0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
//     %4 = stablehlo.select %arg3, %0, %arg0 : tensor<4xi1>, tensor<4xf32>
//     %5 = stablehlo.select %arg4, %0, %arg0 : tensor<i1>, tensor<4xf32>
//     %6 = stablehlo.clamp %arg2, %arg0, %arg2 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
//     %7 = stablehlo.clamp %4, %5, %6 : tensor<4xf32>
//     %8 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>
//     %9 = stablehlo.convert %8 : tensor<4xf32>
//     %10 = stablehlo.reduce_precision %9, format = e5m10 : tensor<4xf32>
//     %11 = stablehlo.bitcast_convert %10 : (tensor<4xf32>) -> tensor<4xi32>
//     %12 = stablehlo.bitcast_convert %11 : (tensor<4xi32>) -> tensor<4x4xi8>
//     %13 = stablehlo.popcnt %11 : tensor<4xi32>
//     %14 = chlo.erf %7 : tensor<4xf32> -> tensor<4xf32>
//     %15 = chlo.is_inf %14 : tensor<4xf32> -> tensor<4xi1>
//     %16 = stablehlo.exponential %14 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
//     return %16 : tensor<4xf32>
//   }
// }
