// test: verify
// Errors of the text are all reported too; what depends on a broken line is not.
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanhh %arg0 : tensor<4xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
  %2 = stablehlo.compare LESS, %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.all_reduce %arg0 : tensor<4xf32>
  %4 = stablehlo.reduce_precision %arg0, format = f16 : tensor<4xf32>
  %5 = stablehlo.negate %arg0 : tensor<5xf32>
  return %arg0 : tensor<4xf32>
}
// error: unknown-op @4: the operation `stablehlo.tanhh` is not known
// error: syntax @6: expected EQ, NE, GE, GT, LE or LT, found `LESS`
// error: syntax @7: `stablehlo.all_reduce` has only the generic form
// error: syntax @8: `f16` is not a format
// error: signature @9: operand 0 (`%arg0`) is tensor<4xf32>, but the text says tensor<5xf32>
