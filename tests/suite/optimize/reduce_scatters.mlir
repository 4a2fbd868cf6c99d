// test: optimize pass=reduce-scatters
// A sum of which each device keeps its shard is scattered; over some of the axes only if the value is large enough.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
                %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %c: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
                %d: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
    -> (tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %sixteen = stablehlo.constant dense<16> : tensor<i32>
  %id = stablehlo.replica_id : tensor<ui32>
  %position = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %y = stablehlo.remainder %position, %four : tensor<i32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dynamic_slice %1, %position, %zero, sizes = [1, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %3 = stablehlo.negate %0 : tensor<8x8xf32>
  %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.multiply %y, %two : tensor<i32>
  %6 = stablehlo.dynamic_slice %4, %zero, %5, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  %7 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %9 = stablehlo.multiply %y, %sixteen : tensor<i32>
  %10 = stablehlo.dynamic_slice %8, %zero, %9, sizes = [64, 16] : (tensor<64x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x16xf32>
  return %2, %6, %10 : tensor<1x8xf32>, tensor<8x2xf32>, tensor<64x16xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<64x4xf32>, %arg3: tensor<4x64xf32>) -> (tensor<1x8xf32>, tensor<8x2xf32>, tensor<64x16xf32>) {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<2> : tensor<i32>
//     %c_1 = stablehlo.constant dense<4> : tensor<i32>
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %2 = stablehlo.remainder %1, %c_1 : tensor<i32>
//     %3 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
//     %4 = "stablehlo.reduce_scatter"(%3) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<8x8xf32>) -> tensor<1x8xf32>
//     %5 = stablehlo.negate %3 : tensor<8x8xf32>
//     %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
//     %7 = stablehlo.multiply %2, %c_0 : tensor<i32>
//     %8 = stablehlo.dynamic_slice %6, %c, %7, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
//     %9 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
//     %10 = "stablehlo.reduce_scatter"(%9) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<64x64xf32>) -> tensor<64x16xf32>
//     %11 = "stablehlo.all_reduce"(%10) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %12 : tensor<f32>
//     }) : (tensor<64x16xf32>) -> tensor<64x16xf32>
//     return %4, %8, %11 : tensor<1x8xf32>, tensor<8x2xf32>, tensor<64x16xf32>
//   }
// }
