// test: optimize pass=defer-reductions
// A sum that would only stand behind a transpose stays: earlier it is combined with others more often.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %3 = stablehlo.tanh %2 : tensor<6x4xf32>
  return %3 : tensor<6x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x6xf32>) -> tensor<6x4xf32> {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
//     %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %4 = stablehlo.add %arg2, %arg3 : tensor<f32>
//       stablehlo.return %4 : tensor<f32>
//     }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
//     %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
//     %3 = stablehlo.tanh %2 : tensor<6x4xf32>
//     return %3 : tensor<6x4xf32>
//   }
// }
