// test: verify
// Where shardings stand, what they name and how often.
sdy.mesh @mesh = <["x"=8, "y"=2]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @arguments(
    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@none, [{}, {}]>},
    %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>},
    %arg3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"y"}, {}]>},
    %arg4: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"y"}]>},
    %arg5: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x":(2)2}]>},
    %arg6: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)4}, {}], replicated={"x":(1)4}>},
    %arg7: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "x":(2)2}, {}]>},
    %arg8: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(3)2}, {}]>},
    %arg9: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(4)4}, {}]>},
    %arg10: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)1}, {}]>},
    %arg11: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(0)2}, {}]>},
    %arg12: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)8}, {}]>},
    %arg13: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"y", "x"}>},
    %arg14: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x":(4)2, "x":(1)2}>},
    %arg15: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}p1, {}]>},
    %arg16: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
    %arg17: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@one, [{}, {}]>},
    %arg18: tuple<tensor<8xf32>, tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
    %arg19: tensor<8x8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}) {
  return
}
func.func @results(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) {
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}
func.func @instructions(%arg0: tensor<8xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding<@mesh, [{}]>} : tensor<8xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[]>} : tensor<8xf32>
  %2 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8xf32>
  %3:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"z"}]>]>} %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
  stablehlo.custom_call @nothing(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @nothing(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, [{}]>]>} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @nothing(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> ()
  return
}
func.func @sizes_need_not_divide(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}
// error: sharding @6: the sharding has 1 dim, but the tensor has 2
// error: sharding @7: the mesh `@none` is not declared
// error: sharding @8: mesh @mesh has no axis "z"
// error: sharding @9: mesh <["a"=2]> has no axis "y"
// error: sharding @10: axis "y" is used twice in one sharding
// error: sharding @11: axes "x" and "x":(2)2 overlap: a part of the axis is used twice
// error: sharding @12: axes "x":(1)4 and "x":(2)4 overlap: a part of the axis is used twice
// error: sharding @13: "x":(1)2 and "x":(2)2 are one sub-axis
// error: sharding @14: sub-axis "x":(3)2 does not fit axis "x" of size 8
// error: sharding @15: sub-axis "x":(4)4 does not fit axis "x" of size 8
// error: sharding @16: sub-axis "x":(2)1 does not fit axis "x" of size 8
// error: sharding @17: sub-axis "x":(0)2 does not fit axis "x" of size 8
// error: sharding @18: sub-axis "x":(1)8 is the whole axis
// error: sharding @19: the replicated axes are not in the order of the mesh
// error: sharding @20: the unreduced axes are not in the order of the mesh
// error: sharding @21: dim 0 has a priority, but is closed and has no axes
// error: sharding @22: a !stablehlo.token has only shardings without dims and axes
// error: sharding @23: a sharding on a maximal mesh has no dims and no axes
// error: sharding @24: a tuple<tensor<8xf32>, tensor<8xf32>> can be sharded only if it has one member
// error: sharding @25: `sdy.sharding` should be #sdy.sharding<@mesh, [...]>
// error: sharding @28: result 1 of `@results`: mesh @mesh has no axis "z"
// error: op @32: `stablehlo.negate`: `sdy.sharding` should be #sdy.sharding_per_value<[<...>]>
// error: sharding @33: 0 shardings are given for 1 results
// error: sharding @34: the sharding has 2 dims, but the tensor has 1
// error: sharding @35: result 1: mesh @mesh has no axis "z"
// error: sharding @37: result: a sharding on a maximal mesh has no dims and no axes
// error: sharding @38: 1 shardings are given for 0 results
