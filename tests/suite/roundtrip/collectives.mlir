// test: roundtrip
// Collectives have only the generic form. Channels are kept, short groups are padded.
func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %6 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %6 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  %4 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.replica_id : tensor<ui32>
  return %4 : tensor<4x4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
//     %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids}> ({
//     ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
//       %6 = stablehlo.add %arg1, %arg2 : tensor<f32>
//       stablehlo.return %6 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
//     %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
//       %6 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
//       stablehlo.return %6 : tensor<f32>
//     }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
//     %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
//     %4 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %5 = stablehlo.replica_id : tensor<ui32>
//     return %4 : tensor<4x4xf32>
//   }
// }
