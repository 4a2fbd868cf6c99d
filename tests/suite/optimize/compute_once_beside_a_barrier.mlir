// test: optimize pass=compute-once machine=cpu:2
// What a barrier reads is stored for it, but others that read it beside the barrier would compute it again, and keep what it is made of.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<4x8xf32>
  %2 = stablehlo.tanh %1 : tensor<4x8xf32>
  %3 = stablehlo.cosine %0 : tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
//     %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
//     %1 = stablehlo.optimization_barrier %0 : tensor<4x8xf32>
//     %2 = stablehlo.optimization_barrier %1 : tensor<4x8xf32>
//     %3 = stablehlo.tanh %2 : tensor<4x8xf32>
//     %4 = stablehlo.cosine %1 : tensor<4x8xf32>
//     return %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>
//   }
// }
