// test: roundtrip generic
// The generic forms of collectives: a reduction other than a sum is a number.
sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
sdy.mesh @other_way = <["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}, {"z"}]>}) -> tensor<16x8xf32> {
  %0 = sdy.all_gather [{"x":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"y", "x":(1)2}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_gather [{"y", "x":(1)2}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %2 = sdy.all_slice [{"x":(1)2}, {"z"}] %1 out_sharding=<@mesh, [{"x":(1)2}, {"z"}]> {note} : tensor<16x8xf32>
  %3 = sdy.all_slice [{"x":(2)2}, {}] %2 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<16x8xf32>
  %4 = sdy.all_slice [{}, {"y"}] %arg1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
  %5 = sdy.all_to_all [{"z"}: 1->0] %3 out_sharding=<@mesh, [{"x", "z"}, {}]> : tensor<16x8xf32>
  %6 = sdy.all_to_all [{"y"}: 0->2, {"x":(2)2}: 1->3] %arg2 out_sharding=<@mesh, [{}, {"x":(1)2}, {"y"}, {"z", "x":(2)2}]> : tensor<16x8x4x4xf32>
  %7 = sdy.collective_permute %5 out_sharding=<@mesh, [{"y", "x", ?}, {}]> : tensor<16x8xf32>
  %8 = sdy.collective_permute %7 out_sharding=<@other_way, [{"y", "x"}, {}]> : tensor<16x8xf32>
  %9 = sdy.replicated_to_unreduced {"y"} %3 out_sharding=<@mesh, [{"x"}, {"z"}], unreduced={"y"}> : tensor<16x8xf32>
  %10 = sdy.sharded_to_unreduced [{"x":(2)2}, {"z"}] %9 out_sharding=<@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<16x8xf32>
  %11 = sdy.all_reduce {"x":(2)2, "y"} %10 out_sharding=<@mesh, [{"x":(1)2}, {}], replicated={"y"}, unreduced={"z"}> : tensor<16x8xf32>
  %12 = sdy.reduce_scatter [{"z"}, {}] %11 out_sharding=<@mesh, [{"x":(1)2, "z"}, {}]> : tensor<16x8xf32>
  %13 = stablehlo.negate %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x", "y"}>]>} : tensor<16x8xf32>
  %14 = sdy.all_reduce max {"y"} %13 out_sharding=<@mesh, [{}, {}], unreduced=max{"x"}> : tensor<16x8xf32>
  %15 = sdy.reduce_scatter max [{}, {"x"}] %14 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %16 = sdy.all_reduce {} %15 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %17 = sdy.reduce_scatter [{}, {}] %16 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return %17 : tensor<16x8xf32>
}
// expect:
// "builtin.module"() ({
//   "sdy.mesh"() <{mesh = #sdy.mesh<["x"=4, "y"=2, "z"=2]>, sym_name = "mesh"}> : () -> ()
//   "sdy.mesh"() <{mesh = #sdy.mesh<["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>, sym_name = "other_way"}> : () -> ()
//   "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}, {"z"}]>}], function_type = (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8x4x4xf32>) -> tensor<16x8xf32>, sym_name = "main"}> ({
//   ^bb0(%arg0: tensor<16x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8x4x4xf32>):
//     %0 = "sdy.all_gather"(%arg0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x":(2)2}, {}]>, out_sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %1 = "sdy.all_gather"(%0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"y", "x":(1)2}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %2 = "sdy.all_slice"(%1) <{out_sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"z"}]>, slicing_axes = #sdy<list_of_axis_ref_lists[{"x":(1)2}, {"z"}]>}> {note} : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %3 = "sdy.all_slice"(%2) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {"z"}]>, slicing_axes = #sdy<list_of_axis_ref_lists[{"x":(2)2}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %4 = "sdy.all_slice"(%arg1) <{out_sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, slicing_axes = #sdy<list_of_axis_ref_lists[{}, {"y"}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %5 = "sdy.all_to_all"(%3) <{out_sharding = #sdy.sharding<@mesh, [{"x", "z"}, {}]>, params = #sdy<all_to_all_param_list[{"z"}: 1->0]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %6 = "sdy.all_to_all"(%arg2) <{out_sharding = #sdy.sharding<@mesh, [{}, {"x":(1)2}, {"y"}, {"z", "x":(2)2}]>, params = #sdy<all_to_all_param_list[{"y"}: 0->2, {"x":(2)2}: 1->3]>}> : (tensor<16x8x4x4xf32>) -> tensor<16x8x4x4xf32>
//     %7 = "sdy.collective_permute"(%5) <{out_sharding = #sdy.sharding<@mesh, [{"y", "x", ?}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %8 = "sdy.collective_permute"(%7) <{out_sharding = #sdy.sharding<@other_way, [{"y", "x"}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %9 = "sdy.replicated_to_unreduced"(%3) <{axes = #sdy<axis_ref_list{"y"}>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {"z"}], unreduced={"y"}>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %10 = "sdy.sharded_to_unreduced"(%9) <{axes = #sdy<list_of_axis_ref_lists[{"x":(2)2}, {"z"}]>, out_sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %11 = "sdy.all_reduce"(%10) <{out_sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}], replicated={"y"}, unreduced={"z"}>, reduction_axes = #sdy<axis_ref_list{"x":(2)2, "y"}>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %12 = "sdy.reduce_scatter"(%11) <{out_sharding = #sdy.sharding<@mesh, [{"x":(1)2, "z"}, {}]>, reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{"z"}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %13 = "stablehlo.negate"(%12) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x", "y"}>]>} : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %14 = "sdy.all_reduce"(%13) <{out_sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x"}>, reduction_axes = #sdy<axis_ref_list{"y"}>, reduction_op = 1 : i32}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %15 = "sdy.reduce_scatter"(%14) <{out_sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{}, {"x"}]>, reduction_op = 1 : i32}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %16 = "sdy.all_reduce"(%15) <{out_sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, reduction_axes = #sdy<axis_ref_list{}>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     %17 = "sdy.reduce_scatter"(%16) <{out_sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
//     "func.return"(%17) : (tensor<16x8xf32>) -> ()
//   }) : () -> ()
// }) : () -> ()
