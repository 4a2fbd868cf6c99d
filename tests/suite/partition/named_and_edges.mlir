// test: partition
// What only guides propagation is gone, and a named computation keeps what it says of its operands and results.
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  %1 = sdy.named_computation<"f">(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] (%b: tensor<8xf32>) {
    %2 = stablehlo.sine %b : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.data_flow_edge %1 : tensor<8xf32>
  %4 = stablehlo.cosine %3 {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}
// expect:
// all_gather tensor<8xf32> dense<[[0, 1]]>
// (tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)
