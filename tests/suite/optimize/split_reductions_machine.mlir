// test: optimize pass=split-reductions machine=cpu8:4
// A large sum is scattered and gathered again for the work between, which the members share; a small one is not.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<512x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<1x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %bias: tensor<512xf32>, %c: tensor<512x256xf32>,
                %d: tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x1xf32>, tensor<1x256xf32>) -> tensor<512x256xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<512x256xf32>) -> tensor<512x256xf32>
  %2 = stablehlo.broadcast_in_dim %bias, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
  %3 = stablehlo.add %1, %2 : tensor<512x256xf32>
  %4 = stablehlo.add %3, %c : tensor<512x256xf32>
  %5 = stablehlo.convert %4 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
  %6 = stablehlo.negate %5 : tensor<512x256xbf16>
  %7 = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = stablehlo.sqrt %8 : tensor<4x4xf32>
  return %5, %6, %9 : tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<4x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<512x1xf32>, %arg1: tensor<1x256xf32>, %arg2: tensor<512xf32>, %arg3: tensor<512x256xf32>, %arg4: tensor<1x4xf32>) -> (tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<4x4xf32>) {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<512x1xf32>, tensor<1x256xf32>) -> tensor<512x256xf32>
//     %1 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %16 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %16 : tensor<f32>
//     }) : (tensor<512x256xf32>) -> tensor<128x256xf32>
//     %2 = stablehlo.replica_id : tensor<ui32>
//     %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i32>
//     %c = stablehlo.constant dense<128> : tensor<i32>
//     %4 = stablehlo.multiply %3, %c : tensor<i32>
//     %5 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %6 = stablehlo.dynamic_slice %5, %4, %c_0, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %7 = stablehlo.add %1, %6 : tensor<128x256xf32>
//     %c_1 = stablehlo.constant dense<0> : tensor<i32>
//     %8 = stablehlo.dynamic_slice %arg3, %4, %c_1, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %9 = stablehlo.add %7, %8 : tensor<128x256xf32>
//     %10 = stablehlo.convert %9 : (tensor<128x256xf32>) -> tensor<128x256xbf16>
//     %11 = "stablehlo.all_gather"(%10) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<128x256xbf16>) -> tensor<512x256xbf16>
//     %12 = stablehlo.negate %11 : tensor<512x256xbf16>
//     %13 = stablehlo.dot_general %arg4, %arg4, contracting_dims = [0] x [0] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
//     %14 = "stablehlo.all_reduce"(%13) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %16 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %16 : tensor<f32>
//     }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %15 = stablehlo.sqrt %14 : tensor<4x4xf32>
//     return %11, %12, %15 : tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<4x4xf32>
//   }
// }
