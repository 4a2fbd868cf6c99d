// test: optimize pass=combine-collectives machine=h100:1x2
// Sums whose results are read later become one; scattered ones lie side by side; gathers of arguments come early.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %v: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<1x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, tensor<4x4xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.negate %0 : tensor<4x4xf32>
  %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %5 = stablehlo.reshape %2 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
  %6 = "stablehlo.reduce_scatter"(%5) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x4x4xf32>) -> tensor<1x2x4xf32>
  %7 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %8 = stablehlo.add %7, %1 : tensor<4x4xf32>
  %9 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<4x2xf32>
  %10 = stablehlo.add %3, %1 : tensor<4x4xf32>
  return %8, %10, %4, %6, %7, %9 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x2xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = stablehlo.negate %0 : tensor<4x4xf32>
//     %2:2 = "stablehlo.all_reduce"(%0, %1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %19 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
//     %3 = stablehlo.reshape %1 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
//     %4 = stablehlo.reshape %0 : (tensor<4x4xf32>) -> tensor<2x8xf32>
//     %5 = stablehlo.reshape %3 : (tensor<1x4x4xf32>) -> tensor<2x8xf32>
//     %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
//     %7 = "stablehlo.reduce_scatter"(%6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %19 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %19 : tensor<f32>
//     }) : (tensor<2x16xf32>) -> tensor<1x16xf32>
//     %8 = stablehlo.slice %7 [0:1, 0:8] : (tensor<1x16xf32>) -> tensor<1x8xf32>
//     %9 = stablehlo.slice %7 [0:1, 8:16] : (tensor<1x16xf32>) -> tensor<1x8xf32>
//     %10 = stablehlo.reshape %8 : (tensor<1x8xf32>) -> tensor<2x4xf32>
//     %11 = stablehlo.reshape %9 : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
//     %12 = stablehlo.reshape %arg2 : (tensor<2x4xf32>) -> tensor<8xf32>
//     %13 = stablehlo.reshape %arg3 : (tensor<2x2xf32>) -> tensor<4xf32>
//     %14:2 = "stablehlo.all_gather"(%12, %13) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>, tensor<4xf32>) -> (tensor<16xf32>, tensor<8xf32>)
//     %15 = stablehlo.reshape %14#0 : (tensor<16xf32>) -> tensor<4x4xf32>
//     %16 = stablehlo.reshape %14#1 : (tensor<8xf32>) -> tensor<4x2xf32>
//     %17 = stablehlo.add %15, %2#0 : tensor<4x4xf32>
//     %18 = stablehlo.add %2#1, %2#0 : tensor<4x4xf32>
//     return %17, %18, %10, %11, %15, %16 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>
//   }
// }
