// test: optimize pass=overlap-products machine=tpu_v5e:2x1x1
// Large products travel with their gathers and scatters in a ring; a small one waits for its gather, and so does one that
// contracts what is gathered.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<256x1024xf32>,
                %k: tensor<512x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %p: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %q: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %small: tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<2x2xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<512x256xf32>) -> tensor<1024x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x256xf32>, tensor<256x1024xf32>) -> tensor<1024x1024xf32>
  %2 = "stablehlo.all_gather"(%k) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<512x128xf32>) -> tensor<512x256xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
  %4 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x512xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1024x1024xf32>) -> tensor<1024x512xf32>
  %6 = "stablehlo.all_gather"(%small) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
  %7 = stablehlo.dot_general %6, %6, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %3, %5, %7 : tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<1024x512xf32>, tensor<2x2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<512x256xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<512x128xf32>, %arg3: tensor<1024x512xf32>, %arg4: tensor<512x1024xf32>, %arg5: tensor<1x2xf32>) -> (tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<1024x512xf32>, tensor<2x2xf32>) {
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<1024x1024xf32>
//     %2 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>}> : (tensor<512x256xf32>) -> tensor<512x256xf32>
//     %3 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
//     %c = stablehlo.constant dense<512> : tensor<i32>
//     %4 = stablehlo.multiply %1, %c : tensor<i32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %5 = stablehlo.dynamic_update_slice %cst, %3, %4, %c_0 : (tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x1024xf32>
//     %6 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
//     %c_1 = stablehlo.constant dense<1> : tensor<i32>
//     %7 = stablehlo.add %1, %c_1 : tensor<i32>
//     %c_2 = stablehlo.constant dense<2> : tensor<i32>
//     %8 = stablehlo.remainder %7, %c_2 : tensor<i32>
//     %c_3 = stablehlo.constant dense<512> : tensor<i32>
//     %9 = stablehlo.multiply %8, %c_3 : tensor<i32>
//     %c_4 = stablehlo.constant dense<0> : tensor<i32>
//     %10 = stablehlo.dynamic_update_slice %5, %6, %9, %c_4 : (tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x1024xf32>
//     %11 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<512x128xf32>) -> tensor<512x256xf32>
//     %12 = stablehlo.dot_general %11, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
//     %13 = stablehlo.replica_id : tensor<ui32>
//     %14 = stablehlo.convert %13 : (tensor<ui32>) -> tensor<i32>
//     %c_5 = stablehlo.constant dense<1> : tensor<i32>
//     %15 = stablehlo.add %14, %c_5 : tensor<i32>
//     %c_6 = stablehlo.constant dense<2> : tensor<i32>
//     %16 = stablehlo.remainder %15, %c_6 : tensor<i32>
//     %c_7 = stablehlo.constant dense<512> : tensor<i32>
//     %17 = stablehlo.multiply %16, %c_7 : tensor<i32>
//     %c_8 = stablehlo.constant dense<0> : tensor<i32>
//     %18 = stablehlo.dynamic_slice %arg4, %c_8, %17, sizes = [512, 512] : (tensor<512x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<512x512xf32>
//     %19 = stablehlo.dot_general %arg3, %18, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x512xf32>, tensor<512x512xf32>) -> tensor<1024x512xf32>
//     %20 = "stablehlo.collective_permute"(%19) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1024x512xf32>) -> tensor<1024x512xf32>
//     %c_9 = stablehlo.constant dense<512> : tensor<i32>
//     %21 = stablehlo.multiply %14, %c_9 : tensor<i32>
//     %c_10 = stablehlo.constant dense<0> : tensor<i32>
//     %22 = stablehlo.dynamic_slice %arg4, %c_10, %21, sizes = [512, 512] : (tensor<512x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<512x512xf32>
//     %23 = stablehlo.dot_general %arg3, %22, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x512xf32>, tensor<512x512xf32>) -> tensor<1024x512xf32>
//     %24 = stablehlo.add %20, %23 : tensor<1024x512xf32>
//     %25 = "stablehlo.all_gather"(%arg5) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
//     %26 = stablehlo.dot_general %25, %25, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
//     return %10, %12, %24, %26 : tensor<1024x1024xf32>, tensor<512x1024xf32>, tensor<1024x512xf32>, tensor<2x2xf32>
//   }
// }
