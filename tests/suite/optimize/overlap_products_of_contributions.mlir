// test: optimize pass=overlap-products machine=tpu_v5e:2x1x1
// The first operand of the second product is a contribution to all of it: steps of a ring would need another part of the
// other operand on each device, so the product stays as it is.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<1024x512xf32>) -> (tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1024x512xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %3 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<1024x512xf32>) -> tensor<1024x256xf32>
  return %2 : tensor<1024x256xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<1024x512xf32>, %arg1: tensor<512x1024xf32>, %arg2: tensor<1024x512xf32>) -> tensor<1024x256xf32> {
//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<1024x512xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
//     %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x512xf32>) -> tensor<1024x512xf32>
//     %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %3 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %3 : tensor<f32>
//     }) : (tensor<1024x512xf32>) -> tensor<1024x256xf32>
//     return %2 : tensor<1024x256xf32>
//   }
// }
