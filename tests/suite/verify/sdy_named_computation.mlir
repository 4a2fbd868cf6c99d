// test: verify
// A named computation takes and returns what its region does.
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8xf32>) {
  %0 = sdy.named_computation<"arguments">(%arg0) (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"count">(%arg0) (%arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.named_computation<"shardings">(%arg0) in_shardings=[<@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"z"}]>] (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.named_computation<"outside">(%arg0) (%arg1: tensor<8xf32>) {
    %4 = stablehlo.add %arg0, %2 : tensor<8xf32>
    sdy.return %4 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
// error: op @5: `sdy.named_computation`: the region's arguments should be of the operands' types
// error: op @5: `sdy.named_computation`: the region should return values of the results' types
// error: op @8: `sdy.named_computation`: the region's arguments should be of the operands' types
// error: sharding @11: 2 shardings are given for 1 operands
// error: sharding @11: mesh @mesh has no axis "z"
// error: op @14: `sdy.named_computation`: the region should use only its arguments and what it computes, nothing from outside
