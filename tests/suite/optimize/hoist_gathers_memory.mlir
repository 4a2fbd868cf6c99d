// test: optimize pass=hoist-gathers
// Two gathers that the loop needs one after the other stay in it: before it, both would take memory at once.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x64xf32>, %v: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x64xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:4 = stablehlo.while(%i = %start, %x = %a, %first = %v, %second = %w) : tensor<i32>, tensor<4x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %1 = "stablehlo.all_gather"(%first) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %3 = "stablehlo.all_gather"(%second) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    stablehlo.return %next, %4, %first, %second : tensor<i32>, tensor<4x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
  }
  return %0#1 : tensor<4x64xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x64xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<32x64xf32>) -> tensor<4x64xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2) : tensor<i32>, tensor<4x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
//     cond {
//       %c_3 = stablehlo.constant dense<3> : tensor<i32>
//       %1 = stablehlo.compare LT, %iterArg, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %1 : tensor<i1>
//     } do {
//       %c_3 = stablehlo.constant dense<1> : tensor<i32>
//       %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
//       %2 = "stablehlo.all_gather"(%iterArg_1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>) -> tensor<64x64xf32>
//       %3 = stablehlo.dot_general %iterArg_0, %2, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
//       %4 = "stablehlo.all_gather"(%iterArg_2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>) -> tensor<64x64xf32>
//       %5 = stablehlo.dot_general %3, %4, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
//       stablehlo.return %1, %5, %iterArg_1, %iterArg_2 : tensor<i32>, tensor<4x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
//     }
//     return %0#1 : tensor<4x64xf32>
//   }
// }
