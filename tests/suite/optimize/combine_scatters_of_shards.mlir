// test: optimize pass=combine-collectives machine=h100:1x4
// Of three scatters over `x`, one is of a value that `y` shards inside of a row, which a row would not show: it stays by
// itself. Where `y` shards the dim that is scattered, or stands outside of all that is in a row, it is combined.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%u: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %v: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %w: tensor<1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %z: tensor<3x2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>},
                %t: tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}, tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<3x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>}) {
  %a = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  %b = stablehlo.dot_general %w, %t, contracting_dims = [1] x [0] : (tensor<1x3xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
  %c = stablehlo.dot_general %z, %t, contracting_dims = [2] x [0] : (tensor<3x2x3xf32>, tensor<3x4xf32>) -> tensor<3x2x4xf32>
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%b) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x4xf32>) -> tensor<1x2xf32>
  %2 = "stablehlo.reduce_scatter"(%c) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 2 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x2x4xf32>) -> tensor<3x2x2xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<1x2xf32>, tensor<3x2x2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x8xf32>, %arg2: tensor<1x3xf32>, %arg3: tensor<3x2x3xf32>, %arg4: tensor<3x4xf32>) -> (tensor<4x4xf32>, tensor<1x2xf32>, tensor<3x2x2xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
//     %1 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [0] : (tensor<1x3xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
//     %2 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [2] x [0] : (tensor<3x2x3xf32>, tensor<3x4xf32>) -> tensor<3x2x4xf32>
//     %3 = stablehlo.reshape %0 : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
//     %4 = stablehlo.transpose %3, dims = [1, 0, 2] : (tensor<4x2x4xf32>) -> tensor<2x4x4xf32>
//     %5 = stablehlo.reshape %4 : (tensor<2x4x4xf32>) -> tensor<2x16xf32>
//     %6 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<2x2xf32>
//     %7 = stablehlo.concatenate %5, %6, dim = 1 : (tensor<2x16xf32>, tensor<2x2xf32>) -> tensor<2x18xf32>
//     %8 = "stablehlo.reduce_scatter"(%7) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %16 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %16 : tensor<f32>
//     }) : (tensor<2x18xf32>) -> tensor<1x18xf32>
//     %9 = stablehlo.slice %8 [0:1, 0:16] : (tensor<1x18xf32>) -> tensor<1x16xf32>
//     %10 = stablehlo.slice %8 [0:1, 16:18] : (tensor<1x18xf32>) -> tensor<1x2xf32>
//     %11 = stablehlo.reshape %9 : (tensor<1x16xf32>) -> tensor<1x4x4xf32>
//     %12 = stablehlo.transpose %11, dims = [1, 0, 2] : (tensor<1x4x4xf32>) -> tensor<4x1x4xf32>
//     %13 = stablehlo.reshape %12 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//     %14 = stablehlo.reshape %10 : (tensor<1x2xf32>) -> tensor<1x2xf32>
//     %15 = "stablehlo.reduce_scatter"(%2) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 2 : i64}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %16 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %16 : tensor<f32>
//     }) : (tensor<3x2x4xf32>) -> tensor<3x2x2xf32>
//     return %13, %14, %15 : tensor<4x4xf32>, tensor<1x2xf32>, tensor<3x2x2xf32>
//   }
// }
