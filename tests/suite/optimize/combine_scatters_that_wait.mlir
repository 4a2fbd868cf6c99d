// test: optimize pass=combine-collectives machine=h100:1x2
// Gradients are scattered together, though each is reshaped and used for an update at once: both can wait, and a product
// between them cannot. One that is contracted before the next is there stays by itself.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<8xf32>, %c: tensor<8x8xf32>, %w: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %v: tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u: tensor<8x4xf32>)
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<4x4xf32>
  %3 = stablehlo.dot_general %c, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.cosine %b : tensor<8xf32>
  %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<4xf32>
  %6 = stablehlo.reshape %5 : (tensor<4xf32>) -> tensor<1x4xf32>
  %7 = stablehlo.subtract %v, %6 : tensor<1x4xf32>
  %8 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %9 = stablehlo.sine %3 : tensor<8x4xf32>
  %10 = "stablehlo.reduce_scatter"(%9) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %2, %7, %8, %10 : tensor<4x4xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<1x4xf32>, %arg5: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>) {
//     %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
//     %1 = stablehlo.dot_general %arg2, %arg5, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
//     %2 = stablehlo.cosine %arg1 : tensor<8xf32>
//     %3 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<2x16xf32>
//     %4 = stablehlo.reshape %2 : (tensor<8xf32>) -> tensor<2x4xf32>
//     %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<2x16xf32>, tensor<2x4xf32>) -> tensor<2x20xf32>
//     %6 = "stablehlo.reduce_scatter"(%5) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %17 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %17 : tensor<f32>
//     }) : (tensor<2x20xf32>) -> tensor<1x20xf32>
//     %7 = stablehlo.slice %6 [0:1, 0:16] : (tensor<1x20xf32>) -> tensor<1x16xf32>
//     %8 = stablehlo.slice %6 [0:1, 16:20] : (tensor<1x20xf32>) -> tensor<1x4xf32>
//     %9 = stablehlo.reshape %7 : (tensor<1x16xf32>) -> tensor<4x4xf32>
//     %10 = stablehlo.reshape %8 : (tensor<1x4xf32>) -> tensor<4xf32>
//     %11 = stablehlo.subtract %arg3, %9 : tensor<4x4xf32>
//     %12 = stablehlo.reshape %10 : (tensor<4xf32>) -> tensor<1x4xf32>
//     %13 = stablehlo.subtract %arg4, %12 : tensor<1x4xf32>
//     %14 = stablehlo.dot_general %1, %11, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
//     %15 = stablehlo.sine %1 : tensor<8x4xf32>
//     %16 = "stablehlo.reduce_scatter"(%15) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
//       %17 = stablehlo.add %arg6, %arg7 : tensor<f32>
//       stablehlo.return %17 : tensor<f32>
//     }) : (tensor<8x4xf32>) -> tensor<4x4xf32>
//     return %11, %13, %14, %16 : tensor<4x4xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>
//   }
// }
