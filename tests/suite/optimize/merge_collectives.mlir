// test: optimize pass=merge-collectives
// Two collectives of a kind become one over both axes; of two kinds the one that makes the value smaller goes first.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
                %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
    -> (tensor<4x4xf32>, tensor<16x4xf32>, tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.negate %0 : tensor<4x4xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
  %6 = stablehlo.abs %3 : tensor<4x4xf32>
  %9 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %10 = "stablehlo.reduce_scatter"(%9) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %11 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = "stablehlo.reduce_scatter"(%11) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %6, %5, %10, %12 : tensor<4x4xf32>, tensor<16x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<16x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = stablehlo.negate %0 : tensor<4x4xf32>
//     %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %3 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x4xf32>) -> tensor<16x4xf32>
//     %4 = stablehlo.abs %2 : tensor<4x4xf32>
//     %5 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<1x4xf32>
//     %6 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
//     %7 = "stablehlo.all_reduce"(%6) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
//     return %4, %3, %5, %7 : tensor<4x4xf32>, tensor<16x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>
//   }
// }
