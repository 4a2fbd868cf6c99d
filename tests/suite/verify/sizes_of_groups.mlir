// test: verify
// How much is gathered, or is left to each device, follows from how many devices a group has.
func.func @main(%a: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %b, %c : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x2xf32>
  %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf64>
  return %0 : tensor<8x6xf32>
}
// error: op @4: `stablehlo.all_gather`: result 0 should be tensor<16x6xf32>, not tensor<8x6xf32>: its group has 4 devices
// error: op @5: `stablehlo.reduce_scatter`: result 0 should be tensor<4x3xf32>, not tensor<4x2xf32>: its group has 2 devices
// error: op @10: `stablehlo.all_gather`: result 0 should be tensor<4x12xf32>, not tensor<4x12xf64>
