// test: optimize pass=split-by-levels machine=tpu_v5e:2x2x2
// The devices of "model" are on both hosts, those of "data" on one: the axis that is scattered inside hosts follows.
sdy.mesh @mesh = <["data"=2, "model"=4], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>
func.func @main(%a: tensor<256x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data", "model"}]>},
                %b: tensor<1x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>},
                %c: tensor<256x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
                %d: tensor<1x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>})
    -> (tensor<256x512xf32>, tensor<256x512xf32>, tensor<1x1xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x1xf32>, tensor<1x512xf32>) -> tensor<256x512xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<256x512xf32>) -> tensor<256x512xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<256x1xf32>, tensor<1x512xf32>) -> tensor<256x512xf32>
  %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<256x512xf32>) -> tensor<256x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<256x1xf32>, tensor<f32>) -> tensor<1xf32>
  %5 = stablehlo.dot_general %4, %4, contracting_dims = [0] x [0] : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  %6 = stablehlo.reshape %5 : (tensor<f32>) -> tensor<1x1xf32>
  %7 = "stablehlo.all_reduce"(%6) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %1, %3, %7 : tensor<256x512xf32>, tensor<256x512xf32>, tensor<1x1xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<256x1xf32>, %arg1: tensor<1x512xf32>, %arg2: tensor<256x1xf32>, %arg3: tensor<1x512xf32>) -> (tensor<256x512xf32>, tensor<256x512xf32>, tensor<1x1xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<256x1xf32>, tensor<1x512xf32>) -> tensor<256x512xf32>
//     %1 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<256x512xf32>) -> tensor<64x512xf32>
//     %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<64x512xf32>) -> tensor<64x512xf32>
//     %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}> : (tensor<64x512xf32>) -> tensor<256x512xf32>
//     %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<256x1xf32>, tensor<1x512xf32>) -> tensor<256x512xf32>
//     %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<256x512xf32>) -> tensor<128x512xf32>
//     %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<128x512xf32>) -> tensor<128x512xf32>
//     %7 = "stablehlo.all_gather"(%6) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>}> : (tensor<128x512xf32>) -> tensor<256x512xf32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %8 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<256x1xf32>, tensor<f32>) -> tensor<1xf32>
//     %9 = stablehlo.dot_general %8, %8, contracting_dims = [0] x [0] : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
//     %10 = stablehlo.reshape %9 : (tensor<f32>) -> tensor<1x1xf32>
//     %11 = "stablehlo.all_reduce"(%10) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<1x1xf32>) -> tensor<1x1xf32>
//     return %3, %7, %11 : tensor<256x512xf32>, tensor<256x512xf32>, tensor<1x1xf32>
//   }
// }
