// test: verify
// Numbers that do not fit their type, and lists that are not regular.
func.func @main() attributes {
  } {
  %0 = stablehlo.constant dense<[1, [2, 3]]> : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[1, [2]]> : tensor<2x1xi32>
  %2 = stablehlo.constant dense<[[1], 2]> : tensor<2x1xi32>
  %3 = stablehlo.constant dense<[[], [[1]]]> : tensor<2x0xi32>
  %4 = stablehlo.constant dense<0x1FFFFFFFF> : tensor<i32>
  %5 = stablehlo.constant dense<[1, 256]> : tensor<2xi8>
  %6 = stablehlo.constant dense<-1> : tensor<ui8>
  %7 = stablehlo.constant dense<2> : tensor<i1>
  %8 = stablehlo.constant dense<1> : tensor<f32>
  %9 = stablehlo.constant dense<(1.0, 2)> : tensor<complex<f32>>
  %10 = stablehlo.constant dense<0x15> : tensor<f4E2M1FN>
  %11 = stablehlo.constant dense<0x80000000000000000000000000000000> : tensor<i64>
  return
}
func.func private @int() attributes {a.b = 4294967296 : i32}
func.func private @float() attributes {a.b = 1 : f32}
func.func private @bits() attributes {a.b = 0x45 : f6E3M2FN}
func.func private @sign() attributes {a.b = -0x5 : f32}
func.func private @fraction() attributes {a.b = 1.0 : i32}
func.func private @index() attributes {a.b = 9223372036854775808 : index}
func.func private @array() attributes {a.b = array<i8: 300>}
func.func private @negative() attributes {a.b = array<ui8: -1>}
func.func private @booleans() attributes {a.b = array<i1: 1>}
func.func private @truth() attributes {a.b = array<i64: true>}
func.func private @floats() attributes {a.b = array<f32: 1>}
func.func private @complex() attributes {a.b = array<complex<f32>: 1.0>}
// error: syntax @5: expected a number, found `[`
// error: syntax @6: expected a number, found `[`
// error: syntax @7: expected `[`, found `2`
// error: syntax @8: expected a number, found `[`
// error: syntax @9: 8589934591 does not fit in a constant of i32
// error: syntax @10: 256 does not fit in a constant of i8
// error: syntax @11: -1 does not fit in a constant of ui8
// error: syntax @12: 2 does not fit in a constant of i1
// error: syntax @13: an integer in a constant of f32
// error: syntax @14: an integer in a constant of f32
// error: syntax @15: 0x15 has too many bits in a constant of f4E2M1FN
// error: syntax @16: a number does not fit in a constant of i64
// error: syntax @19: 4294967296 does not fit i32
// error: syntax @20: an integer where a float is meant (f32)
// error: syntax @21: too many bits for f6E3M2FN
// error: syntax @22: an integer where a float is meant (f32)
// error: syntax @23: a number with a fraction is no i32
// error: syntax @24: 9223372036854775808 does not fit `index`
// error: syntax @25: 300 does not fit i8 in an array
// error: syntax @26: -1 does not fit ui8 in an array
// error: syntax @27: expected `true` or `false`, found `1`
// error: syntax @28: expected an integer, found `true`
// error: syntax @29: an integer where a float is meant (f32)
// error: syntax @30: the numbers of an array are integers or floats
