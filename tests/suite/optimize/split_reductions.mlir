// test: optimize pass=split-reductions
// A sum of which shards are taken behind elementwise ops is scattered, and the ops are computed on shards; one that
// somebody reads whole stays.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %bias: tensor<8xf32>, %c: tensor<4x8xf32>)
    -> (tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xf32>, tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-01> : tensor<4x8xf32>
  %id = stablehlo.replica_id : tensor<ui32>
  %position = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %x = stablehlo.divide %position, %two : tensor<i32>
  %start = stablehlo.multiply %x, %two : tensor<i32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
  %4 = stablehlo.tanh %3 : tensor<4x8xf32>
  %5 = stablehlo.multiply %4, %3 : tensor<4x8xf32>
  %6 = stablehlo.multiply %5, %half : tensor<4x8xf32>
  %7 = stablehlo.add %6, %c : tensor<4x8xf32>
  %8 = stablehlo.dynamic_slice %7, %start, %zero, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %9 = stablehlo.reduce(%a init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = "stablehlo.all_reduce"(%9) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.maximum %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = stablehlo.sqrt %10 : tensor<4xf32>
  %12 = stablehlo.dynamic_slice %11, %start, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %8, %11, %12 : tensor<2x8xf32>, tensor<4xf32>, tensor<2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4xf32>, tensor<2xf32>) {
//     %c = stablehlo.constant dense<2> : tensor<i32>
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %2 = stablehlo.divide %1, %c : tensor<i32>
//     %3 = stablehlo.multiply %2, %c : tensor<i32>
//     %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//     %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %21 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %21 : tensor<f32>
//     }) : (tensor<4x8xf32>) -> tensor<2x8xf32>
//     %6 = stablehlo.replica_id : tensor<ui32>
//     %c_0 = stablehlo.constant dense<2> : tensor<ui32>
//     %7 = stablehlo.divide %6, %c_0 : tensor<ui32>
//     %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
//     %c_1 = stablehlo.constant dense<2> : tensor<i32>
//     %9 = stablehlo.multiply %8, %c_1 : tensor<i32>
//     %10 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
//     %11 = stablehlo.add %5, %10 : tensor<2x8xf32>
//     %12 = stablehlo.tanh %11 : tensor<2x8xf32>
//     %13 = stablehlo.multiply %12, %11 : tensor<2x8xf32>
//     %cst = stablehlo.constant dense<5.000000e-01> : tensor<2x8xf32>
//     %14 = stablehlo.multiply %13, %cst : tensor<2x8xf32>
//     %c_2 = stablehlo.constant dense<0> : tensor<i32>
//     %15 = stablehlo.dynamic_slice %arg3, %9, %c_2, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
//     %16 = stablehlo.add %14, %15 : tensor<2x8xf32>
//     %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
//     %17 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
//     %18 = "stablehlo.all_reduce"(%17) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %21 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
//       stablehlo.return %21 : tensor<f32>
//     }) : (tensor<4xf32>) -> tensor<4xf32>
//     %19 = stablehlo.sqrt %18 : tensor<4xf32>
//     %20 = stablehlo.dynamic_slice %19, %3, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
//     return %16, %19, %20 : tensor<2x8xf32>, tensor<4xf32>, tensor<2xf32>
//   }
// }
