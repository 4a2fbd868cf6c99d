// test: optimize pass=combine-collectives machine=h100:1x2
// Scatters along whatever dim become one: the shards of each are laid behind one another first, and the dim of the own shard
// goes back to its place behind it, so that what the shards are of is known.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%u: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %v: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<3x5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<3x5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
  %a = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  %b = stablehlo.dot_general %u, %u, contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  %c = stablehlo.dot_general %w, %v, contracting_dims = [2] x [0] : (tensor<3x5x3xf32>, tensor<3x8xf32>) -> tensor<3x5x8xf32>
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.reduce_scatter"(%c) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5x8xf32>) -> tensor<3x5x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<3x5x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x8xf32>, %arg2: tensor<3x5x3xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>, tensor<3x5x4xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
//     %1 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
//     %2 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [2] x [0] : (tensor<3x5x3xf32>, tensor<3x8xf32>) -> tensor<3x5x8xf32>
//     %3 = stablehlo.reshape %0 : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
//     %4 = stablehlo.transpose %3, dims = [1, 0, 2] : (tensor<4x2x4xf32>) -> tensor<2x4x4xf32>
//     %5 = stablehlo.reshape %2 : (tensor<3x5x8xf32>) -> tensor<3x5x2x4xf32>
//     %6 = stablehlo.transpose %5, dims = [2, 0, 1, 3] : (tensor<3x5x2x4xf32>) -> tensor<2x3x5x4xf32>
//     %7 = stablehlo.reshape %4 : (tensor<2x4x4xf32>) -> tensor<2x16xf32>
//     %8 = stablehlo.reshape %1 : (tensor<4x4xf32>) -> tensor<2x8xf32>
//     %9 = stablehlo.reshape %6 : (tensor<2x3x5x4xf32>) -> tensor<2x60xf32>
//     %10 = stablehlo.concatenate %7, %8, %9, dim = 1 : (tensor<2x16xf32>, tensor<2x8xf32>, tensor<2x60xf32>) -> tensor<2x84xf32>
//     %11 = "stablehlo.reduce_scatter"(%10) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %22 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %22 : tensor<f32>
//     }) : (tensor<2x84xf32>) -> tensor<1x84xf32>
//     %12 = stablehlo.slice %11 [0:1, 0:16] : (tensor<1x84xf32>) -> tensor<1x16xf32>
//     %13 = stablehlo.slice %11 [0:1, 16:24] : (tensor<1x84xf32>) -> tensor<1x8xf32>
//     %14 = stablehlo.slice %11 [0:1, 24:84] : (tensor<1x84xf32>) -> tensor<1x60xf32>
//     %15 = stablehlo.reshape %12 : (tensor<1x16xf32>) -> tensor<1x4x4xf32>
//     %16 = stablehlo.transpose %15, dims = [1, 0, 2] : (tensor<1x4x4xf32>) -> tensor<4x1x4xf32>
//     %17 = stablehlo.reshape %16 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
//     %18 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<2x4xf32>
//     %19 = stablehlo.reshape %14 : (tensor<1x60xf32>) -> tensor<1x3x5x4xf32>
//     %20 = stablehlo.transpose %19, dims = [1, 2, 0, 3] : (tensor<1x3x5x4xf32>) -> tensor<3x5x1x4xf32>
//     %21 = stablehlo.reshape %20 : (tensor<3x5x1x4xf32>) -> tensor<3x5x4xf32>
//     return %17, %18, %21 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<3x5x4xf32>
//   }
// }
