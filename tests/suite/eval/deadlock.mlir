// test: eval devices=2
// Only device 1 enters the loop, and waits there for a device that has finished.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %x) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare LT, %i, %id : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_reduce"(%sum) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.add %i, %one : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
// error: deadlock @13: the devices wait for each other forever: device 1 waits at `stablehlo.all_reduce` for device 0, which has finished
