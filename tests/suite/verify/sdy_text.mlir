// test: verify
// What the grammar of sdy does not allow.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x4xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}phigh, {}]>]>} : tensor<8x4xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}p01, {}]>]>} : tensor<8x4xf32>
  %2 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}p9999999999999999999, {}]>]>} : tensor<8x4xf32>
  %3 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?, "x"}, {}]>]>} : tensor<8x4xf32>
  %4 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], replicated{"x"}>]>} : tensor<8x4xf32>
  %5 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], replicated={"x"}, replicated={"y"}>]>} : tensor<8x4xf32>
  %6 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=product{"x"}>]>} : tensor<8x4xf32>
  %7 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], replicated={}>]>} : tensor<8x4xf32>
  %8 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], >]>} : tensor<8x4xf32>
  %9 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{x}, {}]>]>} : tensor<8x4xf32>
  %10 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@outer::@mesh, [{}, {}]>]>} : tensor<8x4xf32>
  %11 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i j]) {i=8, j=4}>} : tensor<8x4xf32>
  %12 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {j=4, i=8}>} : tensor<8x4xf32>
  %13 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([a, j])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %14 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, z_0])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %15 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}, costum>} : tensor<8x4xf32>
  %16 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<()->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  %17 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0]}]}, {step-1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x4xf32>
  %18 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step--1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x4xf32>
  %19 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [operand-0]}]}]>} : tensor<8x4xf32>
  %20 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0, result-0]}]}]>} : tensor<8x4xf32>
  %21 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> []}]}]>} : tensor<8x4xf32>
  %22 = stablehlo.negate %arg0 {note = #sdy.unknown<3>} : tensor<8x4xf32>
  %23 = stablehlo.negate %arg0 {note = #sdy<mesh<["x"=2]>} : tensor<8x4xf32>
  %24 = sdy.sharding_constraint %arg0 {"x"} : tensor<8x4xf32>
  %25 = sdy.propagation_barrier %arg0 allowed_direction=SIDEWAYS : tensor<8x4xf32>
  %26 = "sdy.all_gather"(%arg0) <{gathering_axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %27 = "sdy.all_reduce"(%arg0) <{reduction_axes = #sdy<axis_ref_list{}>, reduction_op = 3 : i32, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %28 = "sdy.all_slice"(%arg0) <{slicing_axes = #sdy<axis_ref_list{}>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %29 = "sdy.reshard"(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %30 = "sdy.propagation_barrier"(%arg0) <{allowed_direction = 7 : i32}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}
// error: syntax @5: expected a priority such as `p0` or `p1`, found `phigh`
// error: syntax @6: expected a priority such as `p0` or `p1`, found `p01`
// error: syntax @7: expected a priority such as `p0` or `p1`, found `p9999999999999999999`
// error: syntax @8: expected `}` after `?`, found `"x"`
// error: syntax @9: expected `=`, found `{`
// error: syntax @10: expected `replicated={...}` or `unreduced={...}`, each once, found `replicated`
// error: syntax @11: expected `{`, found `product`
// error: syntax @12: this list should not be empty
// error: syntax @13: expected `replicated={...}` or `unreduced={...}`, each once, found `>`
// error: syntax @14: expected a string, found `x`
// error: syntax @15: a mesh has a name of one part, such as `@mesh`
// error: syntax @16: expected `,` or `]`, found `j`
// error: syntax @17: the size of i comes next, not that of j
// error: syntax @18: factors are named `i` to `z`, `z_1`, `z_2`, ..., not `a`
// error: syntax @19: `z_0` should begin with `z_` and a number from 1
// error: syntax @20: expected `custom`, found `costum`
// error: syntax @21: this list should not be empty
// error: attributes @22: `propagation_edges`: step 1 is given twice
// error: attributes @23: `propagation_edges`: step -1 is negative
// error: attributes @24: `propagation_edges`: in step 1, operand-0 is both a source and a target
// error: attributes @25: `propagation_edges`: in step 1, result-0 is a target of "x" twice
// error: syntax @26: this list should not be empty
// error: syntax @27: there is no attribute `unknown` in `sdy`
// error: syntax @28: expected `>`, found `}`
// error: syntax @29: expected `<`, found `{`
// error: syntax @30: expected NONE, FORWARD or BACKWARD, found `SIDEWAYS`
// error: attributes @31: `sdy.all_gather`: `gathering_axes` should be an attribute of `sdy`, found `[]`
// error: attributes @32: `sdy.all_reduce`: `reduction_op` should be 0, 1 or 2, not 3
// error: attributes @33: `sdy.all_slice`: `slicing_axes` should list axes, found `#sdy<axis_ref_list{}>`
// error: attributes @34: `sdy.reshard`: attribute `sharding` is missing
// error: attributes @35: `sdy.propagation_barrier`: `allowed_direction` should be from 0 to 3, not 7
