// test: roundtrip
// Constants whose data stands at the end of the file; those that nobody uses are dropped.
func.func @main() -> (tensor<3xi64>, tensor<2x2xf32>) {
  %0 = stablehlo.constant dense_resource<"blob 2"> : tensor<3xi64>
  %1 = stablehlo.constant dense_resource<blob1> : tensor<2x2xf32>
  %2 = stablehlo.constant dense_resource<blob1> : tensor<2x2xf32>
  return %0, %1 : tensor<3xi64>, tensor<2x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob1: "0x080000000000803F000000400000404000008040",
      "blob 2": "0x10000000010000000000000002000000000000000300000000000000",
      blob3: "0x08000000010000000000000002000000000000000300000000000000"
    }
  },
  external_resources: {
    other: { a: "b", c: true }
  }
#-}
// expect:
// module {
//   func.func @main() -> (tensor<3xi64>, tensor<2x2xf32>) {
//     %c = stablehlo.constant dense_resource<"blob 2"> : tensor<3xi64>
//     %cst = stablehlo.constant dense_resource<blob1> : tensor<2x2xf32>
//     %cst_0 = stablehlo.constant dense_resource<blob1> : tensor<2x2xf32>
//     return %c, %cst : tensor<3xi64>, tensor<2x2xf32>
//   }
// }
//
// {-#
//   dialect_resources: {
//     builtin: {
//       "blob 2": "0x10000000010000000000000002000000000000000300000000000000",
//       blob1: "0x080000000000803F000000400000404000008040"
//     }
//   }
// #-}
