// test: roundtrip
// The collectives of sdy change shardings, not types.
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
// module {
//   sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
//   sdy.mesh @other_way = <["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
//   func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}, {"z"}]>}) -> tensor<16x8xf32> {
//     %0 = sdy.all_gather [{"x":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"y", "x":(1)2}, {}]> : tensor<16x8xf32>
//     %1 = sdy.all_gather [{"y", "x":(1)2}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
//     %2 = sdy.all_slice [{"x":(1)2}, {"z"}] %1 out_sharding=<@mesh, [{"x":(1)2}, {"z"}]> {note} : tensor<16x8xf32>
//     %3 = sdy.all_slice [{"x":(2)2}, {}] %2 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<16x8xf32>
//     %4 = sdy.all_slice [{}, {"y"}] %arg1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
//     %5 = sdy.all_to_all [{"z"}: 1->0] %3 out_sharding=<@mesh, [{"x", "z"}, {}]> : tensor<16x8xf32>
//     %6 = sdy.all_to_all [{"y"}: 0->2, {"x":(2)2}: 1->3] %arg2 out_sharding=<@mesh, [{}, {"x":(1)2}, {"y"}, {"z", "x":(2)2}]> : tensor<16x8x4x4xf32>
//     %7 = sdy.collective_permute %5 out_sharding=<@mesh, [{"y", "x", ?}, {}]> : tensor<16x8xf32>
//     %8 = sdy.collective_permute %7 out_sharding=<@other_way, [{"y", "x"}, {}]> : tensor<16x8xf32>
//     %9 = sdy.replicated_to_unreduced {"y"} %3 out_sharding=<@mesh, [{"x"}, {"z"}], unreduced={"y"}> : tensor<16x8xf32>
//     %10 = sdy.sharded_to_unreduced [{"x":(2)2}, {"z"}] %9 out_sharding=<@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<16x8xf32>
//     %11 = sdy.all_reduce {"x":(2)2, "y"} %10 out_sharding=<@mesh, [{"x":(1)2}, {}], replicated={"y"}, unreduced={"z"}> : tensor<16x8xf32>
//     %12 = sdy.reduce_scatter [{"z"}, {}] %11 out_sharding=<@mesh, [{"x":(1)2, "z"}, {}]> : tensor<16x8xf32>
//     %13 = stablehlo.negate %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x", "y"}>]>} : tensor<16x8xf32>
//     %14 = sdy.all_reduce max {"y"} %13 out_sharding=<@mesh, [{}, {}], unreduced=max{"x"}> : tensor<16x8xf32>
//     %15 = sdy.reduce_scatter max [{}, {"x"}] %14 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
//     %16 = sdy.all_reduce {} %15 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
//     %17 = sdy.reduce_scatter [{}, {}] %16 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
//     return %17 : tensor<16x8xf32>
//   }
// }
