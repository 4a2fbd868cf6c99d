// test: roundtrip
// Every attribute of the dialect keeps its meaning and loses its blanks.
#edges = #sdy.propagation_edges<[ {step-0=[{"x"=operand-0->[result-0]}]}, {step-12 = [{"y":(1)2 = result-0 -> [operand-0, operand-1]}, {"x" = operand-1 -> [result-0]}]} ]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<32xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x" , "y"}>, sdy.original_func_name = "main"} {
  %0 = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #edges, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x4xf32>
  %1 = stablehlo.reshape %0 {sdy.sharding_rule = #sdy.op_sharding_rule< ([i,j])->( [ ij ]) {i=8,j=4} >} : (tensor<8x4xf32>) -> tensor<32xf32>
  %2 = stablehlo.custom_call @own(%0, %1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [kl])->([m]) {i=8, j=4, k=8, l=4, m=32} reduction={i, j} need_replication={k} permutation={l} blocked_propagation={k, m}, custom>} : (tensor<8x4xf32>, tensor<32xf32>) -> tensor<32xf32>
  %3 = stablehlo.negate %2 {sdy.sharding_origins = [{"x:(1)2" = "input: 0", y = "constraint_0"}]} : tensor<32xf32>
  %4 = stablehlo.negate %3 {sdy.block_arg_propagation_edges = [#edges, #sdy.propagation_edges<[{step-1 = [{"x" = result-0 -> [operand-0]}]}]>], sdy.result_propagation_edges = []} : tensor<32xf32>
  %5 = stablehlo.negate %4 {a = #sdy<axis_ref "x":(1)2>, b = #sdy<axis_ref_list{"x","y"}>, c = #sdy<list_of_axis_ref_lists[{},{"x"}]>, d = #sdy<sub_axis_info (2)4>, e = #sdy<mesh_axis "x"=2>, f = #sdy<dimension_sharding{"x",?}p1>, g = #sdy<all_to_all_param{"x"}:0->1>, h = #sdy<all_to_all_param_list[{"x"}:0->1]>, i = #sdy<tensor_mapping[i,jk]>, j = #sdy<dim_mapping ijz_1>, k = #sdy<edge_value_ref operand-3>, l = #sdy<axis_to_propagation_details{"x"=operand-0->[result-0]}>, m = #sdy<propagation_one_step{step-1=[{"x"=operand-0->[result-0]}]}>, n = #sdy<mesh<["x"=2]>>, o = #sdy<manual_axes{}>, p = #sdy.sharding_per_value<[]>} : tensor<32xf32>
  %6 = stablehlo.custom_call @scalar(%5) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=32} reduction={i}>} : (tensor<32xf32>) -> tensor<f32>
  return %5 : tensor<32xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=4]>
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<32xf32> attributes {sdy.func_manual_axes = #sdy<manual_axes{"x", "y"}>, sdy.original_func_name = "main"} {
//     %0 = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-12 = [{"y":(1)2 = result-0 -> [operand-0, operand-1]}, {"x" = operand-1 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x4xf32>
//     %1 = stablehlo.reshape %0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<32xf32>
//     %2 = stablehlo.custom_call @own(%0, %1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [kl])->([m]) {i=8, j=4, k=8, l=4, m=32} reduction={i, j} need_replication={k} permutation={l} blocked_propagation={k, m}, custom>} : (tensor<8x4xf32>, tensor<32xf32>) -> tensor<32xf32>
//     %3 = stablehlo.negate %2 {sdy.sharding_origins = [{"x:(1)2" = "input: 0", y = "constraint_0"}]} : tensor<32xf32>
//     %4 = stablehlo.negate %3 {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-12 = [{"y":(1)2 = result-0 -> [operand-0, operand-1]}, {"x" = operand-1 -> [result-0]}]}]>, #sdy.propagation_edges<[{step-1 = [{"x" = result-0 -> [operand-0]}]}]>], sdy.result_propagation_edges = []} : tensor<32xf32>
//     %5 = stablehlo.negate %4 {a = #sdy<axis_ref"x":(1)2>, b = #sdy<axis_ref_list{"x", "y"}>, c = #sdy<list_of_axis_ref_lists[{}, {"x"}]>, d = #sdy<sub_axis_info(2)4>, e = #sdy<mesh_axis"x"=2>, f = #sdy<dimension_sharding{"x", ?}p1>, g = #sdy<all_to_all_param{"x"}: 0->1>, h = #sdy<all_to_all_param_list[{"x"}: 0->1]>, i = #sdy<tensor_mapping[i, jk]>, j = #sdy<dim_mapping ijz_1>, k = #sdy<edge_value_ref operand-3>, l = #sdy<axis_to_propagation_details{"x" = operand-0 -> [result-0]}>, m = #sdy<propagation_one_step{step-1 = [{"x" = operand-0 -> [result-0]}]}>, n = #sdy.mesh<["x"=2]>, o = #sdy<manual_axes{}>, p = #sdy.sharding_per_value<[]>} : tensor<32xf32>
//     %6 = stablehlo.custom_call @scalar(%5) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=32} reduction={i}>} : (tensor<32xf32>) -> tensor<f32>
//     return %5 : tensor<32xf32>
//   }
// }
