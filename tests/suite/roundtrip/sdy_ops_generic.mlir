// test: roundtrip generic
// The generic forms of the same ops.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @main(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %arg1 <@mesh, []> {sdy.sharding_origin_name = "constraint_0"} : !stablehlo.token
  %2 = sdy.reshard %0 <@mesh, [{"x", "y"}]> : tensor<8xf32>
  %3 = sdy.reshard %2 <@mesh, [{}], replicated={"x"}> {note} : tensor<8xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=NONE : tensor<8xf32>
  %5 = sdy.propagation_barrier %4 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %6 = sdy.propagation_barrier %5 allowed_direction=BACKWARD : tensor<8xf32>
  sdy.sharding_group %6 group_id=21 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=-1 {note} : tensor<8xf32>
  %7 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  %8 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} dense<[1, 2]> : tensor<2xi32>
  %9 = stablehlo.add %6, %7 : tensor<8xf32>
  %10 = sdy.data_flow_edge %9 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %11 = stablehlo.negate %10 : tensor<8xf32>
  %12 = sdy.data_flow_edge %11 {note} : tensor<8xf32>
  %13 = func.call @callee(%12) : (tensor<8xf32>) -> tensor<8xf32>
  %14 = sdy.func_data_flow_edge %13 : tensor<8xf32>
  %15 = sdy.func_data_flow_edge %arg2 : tensor<8xf32>
  %16 = stablehlo.add %14, %15 : tensor<8xf32>
  return %16 : tensor<8xf32>
}
// expect:
// "builtin.module"() ({
//   "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
//   "func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "callee"}> ({
//   ^bb0(%arg3: tensor<8xf32>):
//     "func.return"(%arg3) : (tensor<8xf32>) -> ()
//   }) : () -> ()
//   "func.func"() <{function_type = (tensor<8xf32>, !stablehlo.token, tensor<8xf32>) -> tensor<8xf32>, sym_name = "main"}> ({
//   ^bb0(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<8xf32>):
//     %0 = "sdy.sharding_constraint"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"x", ?}]>}> : (tensor<8xf32>) -> tensor<8xf32>
//     %1 = "sdy.sharding_constraint"(%arg1) <{sharding = #sdy.sharding<@mesh, []>}> {sdy.sharding_origin_name = "constraint_0"} : (!stablehlo.token) -> !stablehlo.token
//     %2 = "sdy.reshard"(%0) <{sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}> : (tensor<8xf32>) -> tensor<8xf32>
//     %3 = "sdy.reshard"(%2) <{sharding = #sdy.sharding<@mesh, [{}], replicated={"x"}>}> {note} : (tensor<8xf32>) -> tensor<8xf32>
//     %4 = "sdy.propagation_barrier"(%3) <{allowed_direction = 0 : i32}> : (tensor<8xf32>) -> tensor<8xf32>
//     %5 = "sdy.propagation_barrier"(%4) <{allowed_direction = 1 : i32}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
//     %6 = "sdy.propagation_barrier"(%5) <{allowed_direction = 2 : i32}> : (tensor<8xf32>) -> tensor<8xf32>
//     "sdy.sharding_group"(%6) <{group_id = 21 : i64}> : (tensor<8xf32>) -> ()
//     "sdy.sharding_group"(%arg0) <{group_id = -1 : i64}> {note} : (tensor<8xf32>) -> ()
//     %7 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
//     %8 = "sdy.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : () -> tensor<2xi32>
//     %9 = "stablehlo.add"(%6, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//     %10 = "sdy.data_flow_edge"(%9) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<8xf32>) -> tensor<8xf32>
//     %11 = "stablehlo.negate"(%10) : (tensor<8xf32>) -> tensor<8xf32>
//     %12 = "sdy.data_flow_edge"(%11) {note} : (tensor<8xf32>) -> tensor<8xf32>
//     %13 = "func.call"(%12) <{callee = @callee}> : (tensor<8xf32>) -> tensor<8xf32>
//     %14 = "sdy.func_data_flow_edge"(%13) : (tensor<8xf32>) -> tensor<8xf32>
//     %15 = "sdy.func_data_flow_edge"(%arg2) : (tensor<8xf32>) -> tensor<8xf32>
//     %16 = "stablehlo.add"(%14, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//     "func.return"(%16) : (tensor<8xf32>) -> ()
//   }) : () -> ()
// }) : () -> ()
