// test: optimize pass=combine-collectives machine=h100:1x2 memory=80000
// All four scatters together would hold four gradients at once, for which there is too little memory: two and two go together.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%u0: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u1: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u2: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u3: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %v: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %g0 = stablehlo.dot_general %u0, %v, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %s0 = "stablehlo.reduce_scatter"(%g0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<32x64xf32>
  %m0 = stablehlo.reduce(%s0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %g1 = stablehlo.dot_general %u1, %v, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %s1 = "stablehlo.reduce_scatter"(%g1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<32x64xf32>
  %m1 = stablehlo.reduce(%s1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %g2 = stablehlo.dot_general %u2, %v, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %s2 = "stablehlo.reduce_scatter"(%g2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<32x64xf32>
  %m2 = stablehlo.reduce(%s2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %g3 = stablehlo.dot_general %u3, %v, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %s3 = "stablehlo.reduce_scatter"(%g3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<32x64xf32>
  %m3 = stablehlo.reduce(%s3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  return %m0, %m1, %m2, %m3 : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<64x4xf32>, %arg1: tensor<64x4xf32>, %arg2: tensor<64x4xf32>, %arg3: tensor<64x4xf32>, %arg4: tensor<4x64xf32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
//     %1 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
//     %2 = stablehlo.reshape %0 : (tensor<64x64xf32>) -> tensor<2x2048xf32>
//     %3 = stablehlo.reshape %1 : (tensor<64x64xf32>) -> tensor<2x2048xf32>
//     %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<2x2048xf32>, tensor<2x2048xf32>) -> tensor<2x4096xf32>
//     %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %24 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %24 : tensor<f32>
//     }) : (tensor<2x4096xf32>) -> tensor<1x4096xf32>
//     %6 = stablehlo.slice %5 [0:1, 0:2048] : (tensor<1x4096xf32>) -> tensor<1x2048xf32>
//     %7 = stablehlo.slice %5 [0:1, 2048:4096] : (tensor<1x4096xf32>) -> tensor<1x2048xf32>
//     %8 = stablehlo.reshape %6 : (tensor<1x2048xf32>) -> tensor<32x64xf32>
//     %9 = stablehlo.reshape %7 : (tensor<1x2048xf32>) -> tensor<32x64xf32>
//     %10 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
//     %11 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
//     %12 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
//     %13 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
//     %14 = stablehlo.reshape %12 : (tensor<64x64xf32>) -> tensor<2x2048xf32>
//     %15 = stablehlo.reshape %13 : (tensor<64x64xf32>) -> tensor<2x2048xf32>
//     %16 = stablehlo.concatenate %14, %15, dim = 1 : (tensor<2x2048xf32>, tensor<2x2048xf32>) -> tensor<2x4096xf32>
//     %17 = "stablehlo.reduce_scatter"(%16) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
//       %24 = stablehlo.add %arg5, %arg6 : tensor<f32>
//       stablehlo.return %24 : tensor<f32>
//     }) : (tensor<2x4096xf32>) -> tensor<1x4096xf32>
//     %18 = stablehlo.slice %17 [0:1, 0:2048] : (tensor<1x4096xf32>) -> tensor<1x2048xf32>
//     %19 = stablehlo.slice %17 [0:1, 2048:4096] : (tensor<1x4096xf32>) -> tensor<1x2048xf32>
//     %20 = stablehlo.reshape %18 : (tensor<1x2048xf32>) -> tensor<32x64xf32>
//     %21 = stablehlo.reshape %19 : (tensor<1x2048xf32>) -> tensor<32x64xf32>
//     %22 = stablehlo.reduce(%20 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
//     %23 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
//     return %10, %11, %22, %23 : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
//   }
// }
