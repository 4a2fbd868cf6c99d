// test: roundtrip
// Manual computations nest along different axes; named computations may say shardings. Values of a region are its own.
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<16x32xf32>, %arg1: !stablehlo.token) -> tensor<8x32xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}], replicated={"a"}>] manual_axes={"a"} (%arg2: tensor<8x32xf32> {note = 1}) {
    %1 = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{"b"}, {?}]>] out_shardings=[<@mesh, [{"b"}, {?}]>] manual_axes={"b"} (%arg3: tensor<4x32xf32>) {
      %cst = stablehlo.constant dense<1.0> : tensor<4x32xf32>
      %2 = stablehlo.add %arg3, %cst : tensor<4x32xf32>
      sdy.return %2 : tensor<4x32xf32>
    } : (tensor<8x32xf32>) -> tensor<8x32xf32>
    sdy.return %1 : tensor<8x32xf32>
  } {sdy.sharding_origin_name = "mc_0"} : (tensor<16x32xf32>) -> tensor<8x32xf32>
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x", "y"} () {
    %c = stablehlo.constant dense<1> : tensor<i32>
    sdy.return {note}
  } : () -> ()
  %3:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"b", "a"}, {}]>, <@mesh, []>] out_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, []>] manual_axes={"b", "a"} (%arg2: tensor<4x32xf32>, %arg3: !stablehlo.token) {
    %4 = stablehlo.slice %arg2 [0:4, 0:16] : (tensor<4x32xf32>) -> tensor<4x16xf32>
    sdy.return %4, %arg3 : tensor<4x16xf32>, !stablehlo.token
  } : (tensor<16x32xf32>, !stablehlo.token) -> (tensor<8x32xf32>, !stablehlo.token)
  %5 = sdy.named_computation<"block">(%0) (%arg2: tensor<8x32xf32>) {
    %6 = stablehlo.negate %arg2 : tensor<8x32xf32>
    sdy.return %6 : tensor<8x32xf32>
  } : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %7:2 = sdy.named_computation<"a \22b\22">(%5, %3#0) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {?}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"a"}, {}]>] (%arg2: tensor<8x32xf32>, %arg3: tensor<8x32xf32>) {
    %8 = sdy.all_gather [{"a"}, {}] %arg2 out_sharding=<@mesh, [{}, {}]> : tensor<8x32xf32>
    sdy.return %8, %arg3 : tensor<8x32xf32>, tensor<8x32xf32>
  } {note} : (tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>)
  %9 = sdy.named_computation<"out">(%7#0) out_shardings=[<@mesh, [{}, {}]>] (%arg2: tensor<8x32xf32>) {
    sdy.return %arg2 : tensor<8x32xf32>
  } : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %9 : tensor<8x32xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["a"=2, "b"=2]>
//   func.func @main(%arg0: tensor<16x32xf32>, %arg1: !stablehlo.token) -> tensor<8x32xf32> {
//     %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}], replicated={"a"}>] manual_axes={"a"} (%arg2: tensor<8x32xf32>) {
//       %5 = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{"b"}, {?}]>] out_shardings=[<@mesh, [{"b"}, {?}]>] manual_axes={"b"} (%arg3: tensor<4x32xf32>) {
//         %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x32xf32>
//         %6 = stablehlo.add %arg3, %cst : tensor<4x32xf32>
//         sdy.return %6 : tensor<4x32xf32>
//       } : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       sdy.return %5 : tensor<8x32xf32>
//     } {sdy.sharding_origin_name = "mc_0"} : (tensor<16x32xf32>) -> tensor<8x32xf32>
//     sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x", "y"} () {
//       %c = stablehlo.constant dense<1> : tensor<i32>
//       sdy.return {note}
//     } : () -> ()
//     %1:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"b", "a"}, {}]>, <@mesh, []>] out_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, []>] manual_axes={"b", "a"} (%arg2: tensor<4x32xf32>, %arg3: !stablehlo.token) {
//       %5 = stablehlo.slice %arg2 [0:4, 0:16] : (tensor<4x32xf32>) -> tensor<4x16xf32>
//       sdy.return %5, %arg3 : tensor<4x16xf32>, !stablehlo.token
//     } : (tensor<16x32xf32>, !stablehlo.token) -> (tensor<8x32xf32>, !stablehlo.token)
//     %2 = sdy.named_computation<"block">(%0) (%arg2: tensor<8x32xf32>) {
//       %5 = stablehlo.negate %arg2 : tensor<8x32xf32>
//       sdy.return %5 : tensor<8x32xf32>
//     } : (tensor<8x32xf32>) -> tensor<8x32xf32>
//     %3:2 = sdy.named_computation<"a \22b\22">(%2, %1#0) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {?}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"a"}, {}]>] (%arg2: tensor<8x32xf32>, %arg3: tensor<8x32xf32>) {
//       %5 = sdy.all_gather [{"a"}, {}] %arg2 out_sharding=<@mesh, [{}, {}]> : tensor<8x32xf32>
//       sdy.return %5, %arg3 : tensor<8x32xf32>, tensor<8x32xf32>
//     } {note} : (tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>)
//     %4 = sdy.named_computation<"out">(%3#0) out_shardings=[<@mesh, [{}, {}]>] (%arg2: tensor<8x32xf32>) {
//       sdy.return %arg2 : tensor<8x32xf32>
//     } : (tensor<8x32xf32>) -> tensor<8x32xf32>
//     return %4 : tensor<8x32xf32>
//   }
// }
