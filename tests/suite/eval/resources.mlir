// test: eval
// A constant at the end of the file.
func.func @main() -> tensor<2x2xf32> {
  %1 = stablehlo.constant dense_resource<blob1> : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
{-#
  dialect_resources: { builtin: { blob1: "0x080000000000803F000000400000404000008040" } }
#-}
// expect: tensor<2x2xf32> [[1, 2], [3, 4]]
