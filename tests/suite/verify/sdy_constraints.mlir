// test: verify
// Constraints and reshards may not turn one reduction into another; edges have their value for themselves; a barrier
// stops something.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg1 <@mesh, [{}, {}]> : tensor<8xf32>
  %1 = sdy.reshard %arg1 <@mesh, [{"z"}]> : tensor<8xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %3 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}], unreduced=max{"x", "y"}> : tensor<8xf32>
  %5 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %6 = "sdy.reshard"(%5) <{sharding = #sdy.sharding<@mesh, [{"y"}]>}> : (tensor<8xf32>) -> tensor<4xf32>
  %7 = sdy.propagation_barrier %5 allowed_direction=BOTH : tensor<8xf32>
  %8 = sdy.data_flow_edge %5 : tensor<8xf32>
  %9 = stablehlo.negate %8 : tensor<8xf32>
  %10 = sdy.data_flow_edge %9 sharding=<@mesh, [{"x"}, {}]> : tensor<8xf32>
  %11 = sdy.reshard %10 <@mesh, [{"x"}]> : tensor<8xf32>
  %12 = sdy.data_flow_edge %11 : tensor<8xf32>
  %13 = stablehlo.negate %12 : tensor<8xf32>
  %14 = sdy.func_data_flow_edge %13 : tensor<8xf32>
  return %14 : tensor<8xf32>
}
func.func @regions(%arg0: tensor<8xf32>) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg1: tensor<f32>, %arg2: tensor<f32>) {
    %1 = sdy.func_data_flow_edge %arg1 : tensor<f32>
    %2 = stablehlo.add %1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
// error: sharding @6: the sharding has 2 dims, but the tensor has 1
// error: sharding @7: mesh @mesh has no axis "z"
// error: op @8: `sdy.reshard`: the value was unreduced as a max and would be as a sum
// error: op @12: `sdy.reshard`: result 0 should be tensor<8xf32>, not tensor<4xf32>
// error: op @13: `sdy.propagation_barrier`: a barrier that lets shardings pass both ways is none; `allowed_direction` should not be BOTH
// error: op @14: `sdy.data_flow_edge`: the operand should have no other use: what reads it reads the edge's result
// error: op @14: `sdy.data_flow_edge`: the operand should not be the result of `sdy.reshard`
// error: sharding @16: the sharding has 2 dims, but the tensor has 1
// error: op @18: `sdy.data_flow_edge`: the operand should not be the result of `sdy.reshard`
// error: op @20: `sdy.func_data_flow_edge`: the operand should be an argument of the function or the result of a call
// error: op @27: `sdy.func_data_flow_edge`: the operand should be an argument of the function, not of a region in it
