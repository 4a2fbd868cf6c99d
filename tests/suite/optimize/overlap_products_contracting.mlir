// test: optimize pass=overlap-products machine=tpu_v5e:4x1x1
// A large product that contracts what is gathered adds up products of shards, which travel meanwhile. In bf16 the sums would
// be rounded, and copies of a result would differ, so such products wait for their gathers, and so does a small one.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2048x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %k: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %v: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %h: tensor<2048x128xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u: tensor<512x256xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %r: tensor<512x256xf32>)
    -> (tensor<2048x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<2048x256xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<2048x256xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x512xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x512xf32>, tensor<512x256xf32>) -> tensor<2048x256xf32>
  %2 = "stablehlo.all_gather"(%k) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x2xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = "stablehlo.all_gather"(%h) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2048x128xbf16>) -> tensor<2048x512xbf16>
  %5 = stablehlo.dot_general %4, %u, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x512xbf16>, tensor<512x256xbf16>) -> tensor<2048x256xbf16>
  %6 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x512xf32>
  %7 = stablehlo.dot_general %6, %r, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x512xf32>, tensor<512x256xf32>) -> tensor<2048x256xf32>
  return %1, %3, %5, %7 : tensor<2048x256xf32>, tensor<8x64xf32>, tensor<2048x256xbf16>, tensor<2048x256xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<2048x128xf32>, %arg1: tensor<512x256xf32>, %arg2: tensor<8x2xf32>, %arg3: tensor<8x64xf32>, %arg4: tensor<2048x128xbf16>, %arg5: tensor<512x256xbf16>, %arg6: tensor<512x256xf32>) -> (tensor<2048x256xf32>, tensor<8x64xf32>, tensor<2048x256xbf16>, tensor<2048x256xf32>) {
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %2 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x128xf32>
//     %c = stablehlo.constant dense<128> : tensor<i32>
//     %3 = stablehlo.multiply %1, %c : tensor<i32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %4 = stablehlo.dynamic_slice %arg1, %3, %c_0, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %5 = stablehlo.dot_general %arg0, %4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x128xf32>, tensor<128x256xf32>) -> tensor<2048x256xf32>
//     %6 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x128xf32>
//     %c_1 = stablehlo.constant dense<1> : tensor<i32>
//     %7 = stablehlo.add %1, %c_1 : tensor<i32>
//     %c_2 = stablehlo.constant dense<4> : tensor<i32>
//     %8 = stablehlo.remainder %7, %c_2 : tensor<i32>
//     %c_3 = stablehlo.constant dense<128> : tensor<i32>
//     %9 = stablehlo.multiply %8, %c_3 : tensor<i32>
//     %c_4 = stablehlo.constant dense<0> : tensor<i32>
//     %10 = stablehlo.dynamic_slice %arg1, %9, %c_4, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %11 = stablehlo.dot_general %2, %10, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x128xf32>, tensor<128x256xf32>) -> tensor<2048x256xf32>
//     %12 = stablehlo.add %5, %11 : tensor<2048x256xf32>
//     %13 = "stablehlo.collective_permute"(%6) <{source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x128xf32>
//     %c_5 = stablehlo.constant dense<2> : tensor<i32>
//     %14 = stablehlo.add %1, %c_5 : tensor<i32>
//     %c_6 = stablehlo.constant dense<4> : tensor<i32>
//     %15 = stablehlo.remainder %14, %c_6 : tensor<i32>
//     %c_7 = stablehlo.constant dense<128> : tensor<i32>
//     %16 = stablehlo.multiply %15, %c_7 : tensor<i32>
//     %c_8 = stablehlo.constant dense<0> : tensor<i32>
//     %17 = stablehlo.dynamic_slice %arg1, %16, %c_8, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %18 = stablehlo.dot_general %6, %17, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x128xf32>, tensor<128x256xf32>) -> tensor<2048x256xf32>
//     %19 = stablehlo.add %12, %18 : tensor<2048x256xf32>
//     %c_9 = stablehlo.constant dense<3> : tensor<i32>
//     %20 = stablehlo.add %1, %c_9 : tensor<i32>
//     %c_10 = stablehlo.constant dense<4> : tensor<i32>
//     %21 = stablehlo.remainder %20, %c_10 : tensor<i32>
//     %c_11 = stablehlo.constant dense<128> : tensor<i32>
//     %22 = stablehlo.multiply %21, %c_11 : tensor<i32>
//     %c_12 = stablehlo.constant dense<0> : tensor<i32>
//     %23 = stablehlo.dynamic_slice %arg1, %22, %c_12, sizes = [128, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<128x256xf32>
//     %24 = stablehlo.dot_general %13, %23, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x128xf32>, tensor<128x256xf32>) -> tensor<2048x256xf32>
//     %25 = stablehlo.add %19, %24 : tensor<2048x256xf32>
//     %26 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x2xf32>) -> tensor<8x8xf32>
//     %27 = stablehlo.dot_general %26, %arg3, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
//     %28 = "stablehlo.all_gather"(%arg4) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2048x128xbf16>) -> tensor<2048x512xbf16>
//     %29 = stablehlo.dot_general %28, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x512xbf16>, tensor<512x256xbf16>) -> tensor<2048x256xbf16>
//     %30 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2048x128xf32>) -> tensor<2048x512xf32>
//     %31 = stablehlo.dot_general %30, %arg6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x512xf32>, tensor<512x256xf32>) -> tensor<2048x256xf32>
//     return %25, %27, %29, %31 : tensor<2048x256xf32>, tensor<8x64xf32>, tensor<2048x256xbf16>, tensor<2048x256xf32>
//   }
// }
