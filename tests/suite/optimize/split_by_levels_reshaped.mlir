// test: optimize pass=split-by-levels machine=tpu_v5e:2x2x2
// A scatter that is split gives rows of one element over each axis; the program's own reshape to the same shape means other
// dims, whose sum is no contribution.
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<1x2x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}, {}]>}) -> (tensor<8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}]>}) {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x2x65536xf32>, tensor<f32>) -> tensor<65536xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %5 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<65536xf32>) -> tensor<8192xf32>
  %2 = stablehlo.reshape %1 : (tensor<8192xf32>) -> tensor<1x1x8192xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8192xf32>, tensor<f32>) -> tensor<8192xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<8192xf32>
  return %4 : tensor<8192xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<1x2x65536xf32>) -> tensor<8192xf32> {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x2x65536xf32>, tensor<f32>) -> tensor<65536xf32>
//     %1 = stablehlo.reshape %0 : (tensor<65536xf32>) -> tensor<2x4x8192xf32>
//     %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
//       %8 = stablehlo.add %arg1, %arg2 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<2x4x8192xf32>) -> tensor<2x1x8192xf32>
//     %3 = "stablehlo.reduce_scatter"(%2) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
//       %8 = stablehlo.add %arg1, %arg2 : tensor<f32>
//       stablehlo.return %8 : tensor<f32>
//     }) : (tensor<2x1x8192xf32>) -> tensor<1x1x8192xf32>
//     %4 = stablehlo.reshape %3 : (tensor<1x1x8192xf32>) -> tensor<8192xf32>
//     %5 = stablehlo.reshape %4 : (tensor<8192xf32>) -> tensor<1x1x8192xf32>
//     %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8192xf32>, tensor<f32>) -> tensor<8192xf32>
//     %7 = stablehlo.multiply %6, %6 : tensor<8192xf32>
//     return %7 : tensor<8192xf32>
//   }
// }
