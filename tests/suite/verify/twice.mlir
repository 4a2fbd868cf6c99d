// test: verify
// What is given twice.
#a = 1 : i32
!t = tensor<f32>
#b = loc(unknown)
module {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0:18446744073709551615, %1:2 = stablehlo.add %a, %a : tensor<2xf32>
    %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> {iota_dimension = 0 : i64} : () -> tensor<2xi32>
    return %a : tensor<2xf32>
  }
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "func.return"() : () -> ()
  }) {sym_name = "g"} : () -> ()
}
#b = loc("b")
// error: signature @8: `stablehlo.add` has 1 results, but 18446744073709551615 are named
// error: attributes @9: `iota_dimension` is given in `<{...}>` and in `{...}`
// error: attributes @14: `sym_name` is given in `<{...}>` and in `{...}`
// error: names @16: the alias `#b` is defined twice
