// test: optimize pass=narrow-products
// Each device reads its shards of two parts of a product: it computes no more. A product that is read whole stays.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x12xf32>)
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<12x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x12xf32>) -> tensor<4x12xf32>
  %1 = stablehlo.slice %0 [0:4, 0:8] : (tensor<4x12xf32>) -> tensor<4x8xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %id = stablehlo.replica_id : tensor<ui32>
  %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %at = stablehlo.multiply %own, %four : tensor<i32>
  %2 = stablehlo.dynamic_slice %1, %zero, %at, sizes = [4, 4] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %3 = stablehlo.slice %0 [0:4, 8:12] : (tensor<4x12xf32>) -> tensor<4x4xf32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %there = stablehlo.multiply %own, %two : tensor<i32>
  %4 = stablehlo.dynamic_slice %3, %zero, %there, sizes = [4, 2] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  %5 = stablehlo.dot_general %w, %x, contracting_dims = [0] x [1] : (tensor<8x12xf32>, tensor<4x8xf32>) -> tensor<12x4xf32>
  %6 = stablehlo.slice %5 [0:2, 0:4] : (tensor<12x4xf32>) -> tensor<2x4xf32>
  return %2, %4, %5, %6 : tensor<4x4xf32>, tensor<4x2xf32>, tensor<12x4xf32>, tensor<2x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x12xf32>) -> (tensor<4x4xf32>, tensor<4x2xf32>, tensor<12x4xf32>, tensor<2x4xf32>) {
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %c = stablehlo.constant dense<4> : tensor<i32>
//     %2 = stablehlo.multiply %1, %c : tensor<i32>
//     %3 = stablehlo.slice %arg1 [0:8, 0:8] : (tensor<8x12xf32>) -> tensor<8x8xf32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %4 = stablehlo.dynamic_slice %3, %c_0, %2, sizes = [8, 4] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
//     %5 = stablehlo.dot_general %arg0, %4, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
//     %c_1 = stablehlo.constant dense<2> : tensor<i32>
//     %6 = stablehlo.multiply %1, %c_1 : tensor<i32>
//     %7 = stablehlo.slice %arg1 [0:8, 8:12] : (tensor<8x12xf32>) -> tensor<8x4xf32>
//     %c_2 = stablehlo.constant dense<0> : tensor<i32>
//     %8 = stablehlo.dynamic_slice %7, %c_2, %6, sizes = [8, 2] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
//     %9 = stablehlo.dot_general %arg0, %8, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
//     %10 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1] : (tensor<8x12xf32>, tensor<4x8xf32>) -> tensor<12x4xf32>
//     %11 = stablehlo.slice %10 [0:2, 0:4] : (tensor<12x4xf32>) -> tensor<2x4xf32>
//     return %5, %9, %10, %11 : tensor<4x4xf32>, tensor<4x2xf32>, tensor<12x4xf32>, tensor<2x4xf32>
//   }
// }
