// test: roundtrip
// Ops of sdy without regions, with and without further attributes.
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
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=2]>
//   func.func @callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
//     return %arg0 : tensor<8xf32>
//   }
//   func.func @main(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<8xf32>) -> tensor<8xf32> {
//     %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}]> : tensor<8xf32>
//     %1 = sdy.sharding_constraint %arg1 <@mesh, []> {sdy.sharding_origin_name = "constraint_0"} : !stablehlo.token
//     %2 = sdy.reshard %0 <@mesh, [{"x", "y"}]> : tensor<8xf32>
//     %3 = sdy.reshard %2 <@mesh, [{}], replicated={"x"}> {note} : tensor<8xf32>
//     %4 = sdy.propagation_barrier %3 allowed_direction=NONE : tensor<8xf32>
//     %5 = sdy.propagation_barrier %4 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
//     %6 = sdy.propagation_barrier %5 allowed_direction=BACKWARD : tensor<8xf32>
//     sdy.sharding_group %6 group_id=21 : tensor<8xf32>
//     sdy.sharding_group %arg0 group_id=-1 {note} : tensor<8xf32>
//     %7 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
//     %8 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} dense<[1, 2]> : tensor<2xi32>
//     %9 = stablehlo.add %6, %7 : tensor<8xf32>
//     %10 = sdy.data_flow_edge %9 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
//     %11 = stablehlo.negate %10 : tensor<8xf32>
//     %12 = sdy.data_flow_edge %11 {note} : tensor<8xf32>
//     %13 = call @callee(%12) : (tensor<8xf32>) -> tensor<8xf32>
//     %14 = sdy.func_data_flow_edge %13 : tensor<8xf32>
//     %15 = sdy.func_data_flow_edge %arg2 : tensor<8xf32>
//     %16 = stablehlo.add %14, %15 : tensor<8xf32>
//     return %16 : tensor<8xf32>
//   }
// }
