// test: eval devices=3
// Device 2 alone enters the loop and fails there; the others, which wait for it, end with its error.
func.func @main() -> tensor<3xf32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %0:2 = stablehlo.while(%i = %id, %sum = %x) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare EQ, %i, %two : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_reduce"(%sum) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.add %i, %two : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  %4 = stablehlo.reshape %0#1 : (tensor<f32>) -> tensor<1xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<1xf32>) -> tensor<3xf32>
  return %5 : tensor<3xf32>
}
// error: evaluation @12: on device 2: device 2 is in none of the groups of `stablehlo.all_reduce`
