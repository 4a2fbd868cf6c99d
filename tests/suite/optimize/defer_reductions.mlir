// test: optimize pass=defer-reductions
// A sum moves behind products with what its members have alike; it stays before a product with their own shards.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %gain: tensor<8xf32>, %w: tensor<8x2xf32>,
                %own: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<2x4xf32>, tensor<4x8xf32>, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.broadcast_in_dim %gain, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<4x8xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %6 = stablehlo.negate %0 : tensor<4x8xf32>
  %7 = "stablehlo.all_reduce"(%6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = stablehlo.dot_general %7, %own, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %9 = stablehlo.add %2, %2 : tensor<4x8xf32>
  return %5, %9, %8 : tensor<2x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x2xf32>, %arg4: tensor<8x8xf32>) -> (tensor<2x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//     %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
//     %2 = stablehlo.multiply %1, %0 : tensor<4x8xf32>
//     %3 = stablehlo.dot_general %2, %arg3, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
//     %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
//     %5 = stablehlo.negate %0 : tensor<4x8xf32>
//     %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %10 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %10 : tensor<f32>
//     }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
//     %7 = stablehlo.dot_general %6, %arg4, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//     %8 = stablehlo.add %1, %1 : tensor<4x8xf32>
//     %9 = "stablehlo.all_reduce"(%4) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %10 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %10 : tensor<f32>
//     }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
//     return %9, %8, %7 : tensor<2x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
//   }
// }
