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
// error: op @4: `stablehlo.and`: does not take elements of f32
// error: op @5: `stablehlo.add`: C1: operands have different types, tensor<4xf32> and tensor<2xf32>
// error: op @6: `stablehlo.tanh`: does not take elements of i32
// error: op @7: `stablehlo.compare`: C3: SIGNED does not compare elements of f32
// error: op @8: `stablehlo.select`: C2: chooses between different types, tensor<4xf32> and tensor<4xi32>
// error: op @9: `stablehlo.clamp`: C1: `min` should be a scalar or of shape [4], not tensor<2xf32>
// error: op @9: `stablehlo.clamp`: C2: `max` should be a scalar or of shape [4], not tensor<2xf32>
// error: op @10: `stablehlo.bitcast_convert`: C1: the bits of tensor<4xf32> are not those of tensor<4x2xi8>
// error: op @11: `stablehlo.convert`: C1: the result should have shape [4], not [2]
