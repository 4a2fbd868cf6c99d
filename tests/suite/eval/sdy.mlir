// test: eval
// On one undistributed device, what only says where data is changes nothing; regions without manual axes are part of
// the program.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> tensor<4xi32> {
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xi32>
  %2 = sdy.all_slice [{"y"}] %1 out_sharding=<@mesh, [{"x", "y"}]> : tensor<4xi32>
  %3 = sdy.all_gather [{"x", "y"}] %2 out_sharding=<@mesh, [{}]> : tensor<4xi32>
  %4 = sdy.replicated_to_unreduced {"x"} %3 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<4xi32>
  %5 = sdy.all_reduce {"x"} %4 out_sharding=<@mesh, [{}]> : tensor<4xi32>
  %6 = sdy.reduce_scatter [{"y"}] %5 out_sharding=<@mesh, [{"y"}]> : tensor<4xi32>
  %7 = sdy.collective_permute %6 out_sharding=<@mesh, [{"x"}]> : tensor<4xi32>
  %8 = sdy.sharded_to_unreduced [{"x"}] %7 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<4xi32>
  %9 = sdy.reshard %8 <@mesh, [{"y"}]> : tensor<4xi32>
  %10 = sdy.propagation_barrier %9 allowed_direction=FORWARD : tensor<4xi32>
  sdy.sharding_group %10 group_id=0 : tensor<4xi32>
  %11 = stablehlo.add %10, %0 : tensor<4xi32>
  %12 = sdy.data_flow_edge %11 : tensor<4xi32>
  %13 = sdy.named_computation<"double">(%12) (%arg0: tensor<4xi32>) {
    %15 = stablehlo.add %arg0, %arg0 : tensor<4xi32>
    sdy.return %15 : tensor<4xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  %14 = sdy.manual_computation(%13) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} (%arg0: tensor<4xi32>) {
    %15 = stablehlo.negate %arg0 : tensor<4xi32>
    sdy.return %15 : tensor<4xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %14 : tensor<4xi32>
}
// expect: tensor<4xi32> [-4, -8, -12, -16]
