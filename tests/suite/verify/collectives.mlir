// test: verify
// Groups must not share devices, and sizes must fit them.
func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  %1 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<16x2xf32>
  %2 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}
// error: op @4: `stablehlo.all_gather`: C1: dim 2 is out of range for tensor<4x6xf32>
// error: op @5: `stablehlo.all_to_all`: C2: dim 1 of tensor<4x6xf32> is not divisible by 4
// error: op @6: `stablehlo.collective_permute`: C3: a device is a target twice in `source_target_pairs`
// error: op @7: `stablehlo.all_reduce`: a device is in `replica_groups` twice
// error: op @7: `stablehlo.all_reduce`: `use_global_device_ids` needs a `channel_handle` with a positive handle
