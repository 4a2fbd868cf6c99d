// test: optimize pass=duplicates
// Equal gathers and own slices of one value become one, with the index that they start at; those of other values stay, and so
// do those in a branch.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<i1>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4x4xf32>
  %3 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.if"(%p) ({
    %5 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %5 : tensor<4x4xf32>
  }, {
    %5 = stablehlo.negate %3 : tensor<4x4xf32>
    stablehlo.return %5 : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  %id = stablehlo.replica_id : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %6 = stablehlo.remainder %id, %two : tensor<ui32>
  %7 = stablehlo.multiply %6, %two : tensor<ui32>
  %8 = stablehlo.remainder %id, %two : tensor<ui32>
  %9 = stablehlo.multiply %8, %two : tensor<ui32>
  %10 = stablehlo.dynamic_slice %0, %zero, %7, sizes = [4, 2] : (tensor<4x4xf32>, tensor<ui32>, tensor<ui32>) -> tensor<4x2xf32>
  %11 = stablehlo.dynamic_slice %1, %zero, %9, sizes = [4, 2] : (tensor<4x4xf32>, tensor<ui32>, tensor<ui32>) -> tensor<4x2xf32>
  %12 = stablehlo.multiply %10, %11 : tensor<4x2xf32>
  return %2, %3, %4, %12 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i1>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>) {
//     %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
//     %1 = stablehlo.subtract %0, %0 : tensor<4x4xf32>
//     %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
//     %3 = "stablehlo.if"(%arg2) ({
//       %9 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
//       stablehlo.return %9 : tensor<4x4xf32>
//     }, {
//       %9 = stablehlo.negate %2 : tensor<4x4xf32>
//       stablehlo.return %9 : tensor<4x4xf32>
//     }) : (tensor<i1>) -> tensor<4x4xf32>
//     %4 = stablehlo.replica_id : tensor<ui32>
//     %c = stablehlo.constant dense<2> : tensor<ui32>
//     %c_0 = stablehlo.constant dense<0> : tensor<ui32>
//     %5 = stablehlo.remainder %4, %c : tensor<ui32>
//     %6 = stablehlo.multiply %5, %c : tensor<ui32>
//     %7 = stablehlo.dynamic_slice %0, %c_0, %6, sizes = [4, 2] : (tensor<4x4xf32>, tensor<ui32>, tensor<ui32>) -> tensor<4x2xf32>
//     %8 = stablehlo.multiply %7, %7 : tensor<4x2xf32>
//     return %1, %2, %3, %8 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>
//   }
// }
