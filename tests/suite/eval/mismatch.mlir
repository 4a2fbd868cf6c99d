// test: eval devices=2
// Device 0 skips the loop and goes on to the gather; device 1 is still in the loop.
func.func @main() -> tensor<2xf32> {
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
  %4 = stablehlo.reshape %0#1 : (tensor<f32>) -> tensor<1xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<2xf32>
  return %5 : tensor<2xf32>
}
// error: mismatch @22: the collectives of one group are not in the same order: device 0 is at `stablehlo.all_gather` of tensor<1xf32>, but device 1 is at `stablehlo.all_reduce` of tensor<f32>
