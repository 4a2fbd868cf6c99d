// test: optimize pass=split-by-levels machine=tpu_v5e:2x2x2
// Large gathers and scatters over two hosts work across and inside them in turn, whichever axis is the major one; a dim may
// be sharded further outside of them. Inside a host, or small, they stay.
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%a: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>},
                %b: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model", "data"}, {}]>},
                %c: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>},
                %d: tensor<512x512xf32>,
                %e: tensor<1x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>},
                %f: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model":(1)2, "data", "model":(2)2}, {}]>})
    -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<256x512xf32>, tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>},
        tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model", "data"}]>}, tensor<8x1xf32>,
        tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model":(1)2}, {}]>}) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<64x512xf32>) -> tensor<512x512xf32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>}> : (tensor<64x512xf32>) -> tensor<512x512xf32>
  %2 = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<64x512xf32>) -> tensor<256x512xf32>
  %p = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<512x512xf32>
  %3 = "stablehlo.reduce_scatter"(%p) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<512x512xf32>) -> tensor<64x512xf32>
  %4 = "stablehlo.reduce_scatter"(%p) <{replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<512x512xf32>) -> tensor<512x64xf32>
  %5 = "stablehlo.all_gather"(%e) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<1x1xf32>) -> tensor<8x1xf32>
  %6 = "stablehlo.all_gather"(%f) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 4, 5], [2, 3, 6, 7]]> : tensor<2x4xi64>}> : (tensor<64x512xf32>) -> tensor<256x512xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<256x512xf32>, tensor<64x512xf32>, tensor<512x64xf32>, tensor<8x1xf32>, tensor<256x512xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<64x512xf32>, %arg1: tensor<64x512xf32>, %arg2: tensor<64x512xf32>, %arg3: tensor<512x512xf32>, %arg4: tensor<1x1xf32>, %arg5: tensor<64x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<256x512xf32>, tensor<64x512xf32>, tensor<512x64xf32>, tensor<8x1xf32>, tensor<256x512xf32>) {
//     %0 = stablehlo.reshape %arg0 : (tensor<64x512xf32>) -> tensor<1x1x64x512xf32>
//     %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> : (tensor<1x1x64x512xf32>) -> tensor<2x1x64x512xf32>
//     %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<2x1x64x512xf32>) -> tensor<2x4x64x512xf32>
//     %3 = stablehlo.reshape %2 : (tensor<2x4x64x512xf32>) -> tensor<512x512xf32>
//     %4 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> : (tensor<64x512xf32>) -> tensor<128x512xf32>
//     %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<128x512xf32>) -> tensor<512x512xf32>
//     %6 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<64x512xf32>) -> tensor<256x512xf32>
//     %7 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<512x512xf32>
//     %8 = stablehlo.reshape %7 : (tensor<512x512xf32>) -> tensor<2x4x64x512xf32>
//     %9 = "stablehlo.reduce_scatter"(%8) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %19 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<2x4x64x512xf32>) -> tensor<2x1x64x512xf32>
//     %10 = "stablehlo.reduce_scatter"(%9) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %19 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<2x1x64x512xf32>) -> tensor<1x1x64x512xf32>
//     %11 = stablehlo.reshape %10 : (tensor<1x1x64x512xf32>) -> tensor<64x512xf32>
//     %12 = "stablehlo.reduce_scatter"(%7) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %19 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<512x512xf32>) -> tensor<512x128xf32>
//     %13 = "stablehlo.reduce_scatter"(%12) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %19 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<512x128xf32>) -> tensor<512x64xf32>
//     %14 = "stablehlo.all_gather"(%arg4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<1x1xf32>) -> tensor<8x1xf32>
//     %15 = stablehlo.reshape %arg5 : (tensor<64x512xf32>) -> tensor<1x1x64x512xf32>
//     %16 = "stablehlo.all_gather"(%15) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> : (tensor<1x1x64x512xf32>) -> tensor<2x1x64x512xf32>
//     %17 = "stablehlo.all_gather"(%16) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> : (tensor<2x1x64x512xf32>) -> tensor<2x2x64x512xf32>
//     %18 = stablehlo.reshape %17 : (tensor<2x2x64x512xf32>) -> tensor<256x512xf32>
//     return %3, %5, %6, %11, %13, %14, %18 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<256x512xf32>, tensor<64x512xf32>, tensor<512x64xf32>, tensor<8x1xf32>, tensor<256x512xf32>
//   }
// }
