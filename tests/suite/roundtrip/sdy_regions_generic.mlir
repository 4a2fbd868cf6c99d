// test: roundtrip generic
// The generic forms of manual and named computations.
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
// "builtin.module"() ({
//   "sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=2]>, sym_name = "mesh"}> : () -> ()
//   "func.func"() <{function_type = (tensor<16x32xf32>, !stablehlo.token) -> tensor<8x32xf32>, sym_name = "main"}> ({
//   ^bb0(%arg0: tensor<16x32xf32>, %arg1: !stablehlo.token):
//     %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"a"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], replicated={"a"}>]>}> ({
//     ^bb0(%arg8: tensor<8x32xf32>):
//       %9 = "sdy.manual_computation"(%arg8) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"b"}, {?}]>]>, manual_axes = #sdy<manual_axes{"b"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"b"}, {?}]>]>}> ({
//       ^bb0(%arg9: tensor<4x32xf32>):
//         %10 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<4x32xf32>}> : () -> tensor<4x32xf32>
//         %11 = "stablehlo.add"(%arg9, %10) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
//         "sdy.return"(%11) : (tensor<4x32xf32>) -> ()
//       }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       "sdy.return"(%9) : (tensor<8x32xf32>) -> ()
//     }) {sdy.sharding_origin_name = "mc_0"} : (tensor<16x32xf32>) -> tensor<8x32xf32>
//     "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[]>}> ({
//       %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
//       "sdy.return"() {note} : () -> ()
//     }) : () -> ()
//     %1:2 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}, {}]>, <@mesh, []>]>, manual_axes = #sdy<manual_axes{"b", "a"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>, <@mesh, []>]>}> ({
//     ^bb0(%arg6: tensor<4x32xf32>, %arg7: !stablehlo.token):
//       %7 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4, 16>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x32xf32>) -> tensor<4x16xf32>
//       "sdy.return"(%7, %arg7) : (tensor<4x16xf32>, !stablehlo.token) -> ()
//     }) : (tensor<16x32xf32>, !stablehlo.token) -> (tensor<8x32xf32>, !stablehlo.token)
//     %2 = "sdy.named_computation"(%0) <{name = "block"}> ({
//     ^bb0(%arg5: tensor<8x32xf32>):
//       %6 = "stablehlo.negate"(%arg5) : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       "sdy.return"(%6) : (tensor<8x32xf32>) -> ()
//     }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
//     %3:2 = "sdy.named_computation"(%2, %1#0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {?}]>]>, name = "a \22b\22", out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{"a"}, {}]>]>}> ({
//     ^bb0(%arg3: tensor<8x32xf32>, %arg4: tensor<8x32xf32>):
//       %5 = "sdy.all_gather"(%arg3) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"a"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x32xf32>) -> tensor<8x32xf32>
//       "sdy.return"(%5, %arg4) : (tensor<8x32xf32>, tensor<8x32xf32>) -> ()
//     }) {note} : (tensor<8x32xf32>, tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>)
//     %4 = "sdy.named_computation"(%3#0) <{name = "out", out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
//     ^bb0(%arg2: tensor<8x32xf32>):
//       "sdy.return"(%arg2) : (tensor<8x32xf32>) -> ()
//     }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
//     "func.return"(%4) : (tensor<8x32xf32>) -> ()
//   }) : () -> ()
// }) : () -> ()
