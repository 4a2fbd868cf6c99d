// test: verify
// Element types and shapes of elementwise ops.
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.and %arg0, %arg0 : tensor<4xf32>
  %1 = stablehlo.add %arg0, %arg2 : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %2 = stablehlo.tanh %arg1 : tensor<4xi32>
  %3 = stablehlo.compare LT, %arg0, %arg0, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.select %3, %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  %5 = stablehlo.clamp %arg2, %arg0, %arg2 : (tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %6 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4x2xi8>
  %7 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<2xf32>
  return %4 : tensor<4xf32>
}
