// test: optimize pass=cancel-opposites
// An own shard of a gather is its operand, a smaller gather or a smaller shard; a gather of own shards is the whole.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %whole: tensor<8x4xf32>)
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x4xf32>,
        tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %sixteen = stablehlo.constant dense<16> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %id = stablehlo.replica_id : tensor<ui32>
  %position = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %all = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<4x4xf32>) -> tensor<32x4xf32>
  %0 = stablehlo.multiply %position, %four : tensor<i32>
  %same = stablehlo.dynamic_slice %all, %0, %zero, sizes = [4, 4] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %x = stablehlo.divide %position, %four : tensor<i32>
  %1 = stablehlo.multiply %x, %sixteen : tensor<i32>
  %half = stablehlo.dynamic_slice %all, %1, %zero, sizes = [16, 4] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>
  %2 = stablehlo.multiply %position, %one : tensor<i32>
  %row = stablehlo.dynamic_slice %whole, %2, %zero, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %back = "stablehlo.all_gather"(%row) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<1x4xf32>) -> tensor<8x4xf32>
  %rows = "stablehlo.all_gather"(%row) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
  return %same, %half, %back, %rows : tensor<4x4xf32>, tensor<16x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<16x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>) {
//     %c = stablehlo.constant dense<1> : tensor<i32>
//     %0 = stablehlo.replica_id : tensor<ui32>
//     %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
//     %2 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<4x4xf32>) -> tensor<16x4xf32>
//     %3 = stablehlo.multiply %1, %c : tensor<i32>
//     %c_0 = stablehlo.constant dense<4> : tensor<i32>
//     %4 = stablehlo.divide %3, %c_0 : tensor<i32>
//     %c_1 = stablehlo.constant dense<4> : tensor<i32>
//     %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
//     %c_2 = stablehlo.constant dense<0> : tensor<i32>
//     %6 = stablehlo.dynamic_slice %arg1, %5, %c_2, sizes = [4, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
//     return %arg0, %2, %arg1, %6 : tensor<4x4xf32>, tensor<16x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>
//   }
// }
