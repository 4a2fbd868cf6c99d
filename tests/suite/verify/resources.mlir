// test: verify
// Constants at the end of the file that are missing or of another size.
func.func @main() -> tensor<3xi64> {
  %0 = stablehlo.constant dense_resource<missing> : tensor<3xi64>
  %1 = stablehlo.constant dense_resource<blob1> : tensor<3xi64>
  return %0 : tensor<3xi64>
}
{-#
  dialect_resources: { builtin: { blob1: "0x080000000000803F" } }
#-}
// error: names @4: the data of the constant `missing` is not in the file
// error: syntax @5: 4 bytes of data for tensor<3xi64>
