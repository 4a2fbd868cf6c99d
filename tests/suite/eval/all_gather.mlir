// test: eval devices=4
// Shards are laid one after the other in the order of the group, not of the device numbers.
func.func @main() -> tensor<4xf32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>}> : (tensor<1xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expect:
// device 0: tensor<4xf32> [3, 1, 0, 2]
// device 1: tensor<4xf32> [3, 1, 0, 2]
// device 2: tensor<4xf32> [3, 1, 0, 2]
// device 3: tensor<4xf32> [3, 1, 0, 2]
