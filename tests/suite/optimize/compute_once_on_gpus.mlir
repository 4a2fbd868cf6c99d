// test: optimize pass=compute-once machine=h100:1x2
// Compilers for other devices decide by themselves what is computed again: nothing changes.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.cosine %0 : tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
//     %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
//     %1 = stablehlo.tanh %0 : tensor<4x8xf32>
//     %2 = stablehlo.cosine %0 : tensor<4x8xf32>
//     return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
//   }
// }
