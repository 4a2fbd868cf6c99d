// test: roundtrip
// Numbers as MLIR reads them: signed types may be written as their bits, floats as theirs in hexadecimal.
func.func @main() attributes {
    a.bits = 4294967295 : i32, a.wide = 18446744073709551615, a.unsigned = 18446744073709551615 : ui64, a.one = 1 : i1,
    a.small = [0x5 : f4E2M1FN, 0x05 : f6E3M2FN, 0x7FC00000 : f32], a.array = array<i8: 255, 0x7F, -128>,
    a.floats = array<f32: 1.0, 0x7FC00000>, a.none = array<f64>, a.halves = array<bf16: -0.1, 1.0e-10>,
    a.types = [complex<f32>, none, complex<f64>]} {
  %0 = stablehlo.constant dense<[255, 0xFF, -1]> : tensor<3xi8>
  %1 = stablehlo.constant dense<[0x5, 1.5]> : tensor<2xf4E2M1FN>
  %2 = stablehlo.constant dense<[[], []]> : tensor<2x0xi32>
  %3 = stablehlo.constant dense<[1, 0x0, -1]> : tensor<3xi1>
  return
}
// expect:
// module {
//   func.func @main() attributes {a.array = array<i8: -1, 127, -128>, a.bits = -1 : i32, a.floats = array<f32: 1.000000e+00, 0x7FC00000>, a.halves = array<bf16: -1.000980e-01, 1.000440e-10>, a.none = array<f64>, a.one = true, a.small = [3.000000e+00 : f4E2M1FN, 3.125000e-01 : f6E3M2FN, 0x7FC00000 : f32], a.types = [complex<f32>, none, complex<f64>], a.unsigned = 18446744073709551615 : ui64, a.wide = -1 : i64} {
//     %c = stablehlo.constant dense<-1> : tensor<3xi8>
//     %cst = stablehlo.constant dense<[3.000000e+00, 1.500000e+00]> : tensor<2xf4E2M1FN>
//     %c_0 = stablehlo.constant dense<> : tensor<2x0xi32>
//     %c_1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
//     return
//   }
// }
