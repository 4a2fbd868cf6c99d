// test: optimize pass=compute-once machine=cpu:2
// What several read is stored behind a barrier, be it that they read it reshaped; not what is stored anyway (a product, a
// reshape of one), nor what is made from less (a broadcast, a constant, an iota), nor a scalar, nor what one reads.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<8xf32>, %s: tensor<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>) {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  %3 = stablehlo.subtract %0, %1 : tensor<4x8xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<4x8xf32>
  %5 = stablehlo.negate %4 : tensor<4x8xf32>
  %6 = stablehlo.reshape %5 : (tensor<4x8xf32>) -> tensor<32xf32>
  %7 = stablehlo.tanh %6 : tensor<32xf32>
  %8 = stablehlo.cosine %6 : tensor<32xf32>
  %9 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %10 = stablehlo.reshape %9 : (tensor<4x4xf32>) -> tensor<16xf32>
  %11 = stablehlo.concatenate %10, %10, dim = 0 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %12 = stablehlo.add %s, %s : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %14 = stablehlo.add %4, %13 : tensor<4x8xf32>
  %15 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %16 = stablehlo.iota dim = 1 : tensor<4x8xf32>
  %17 = stablehlo.multiply %14, %15 : tensor<4x8xf32>
  %18 = stablehlo.maximum %17, %16 : tensor<4x8xf32>
  %19 = stablehlo.power %18, %15 : tensor<4x8xf32>
  %20 = stablehlo.divide %19, %16 : tensor<4x8xf32>
  return %2, %20, %7, %8, %11, %12 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>) {
//     %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
//     %1 = stablehlo.optimization_barrier %0 : tensor<4x8xf32>
//     %2 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
//     %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
//     %4 = stablehlo.subtract %1, %2 : tensor<4x8xf32>
//     %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
//     %6 = stablehlo.optimization_barrier %5 : tensor<4x8xf32>
//     %7 = stablehlo.negate %6 : tensor<4x8xf32>
//     %8 = stablehlo.optimization_barrier %7 : tensor<4x8xf32>
//     %9 = stablehlo.reshape %8 : (tensor<4x8xf32>) -> tensor<32xf32>
//     %10 = stablehlo.tanh %9 : tensor<32xf32>
//     %11 = stablehlo.cosine %9 : tensor<32xf32>
//     %12 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
//     %13 = stablehlo.reshape %12 : (tensor<4x4xf32>) -> tensor<16xf32>
//     %14 = stablehlo.concatenate %13, %13, dim = 0 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
//     %15 = stablehlo.add %arg3, %arg3 : tensor<f32>
//     %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
//     %17 = stablehlo.add %6, %16 : tensor<4x8xf32>
//     %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
//     %18 = stablehlo.iota dim = 1 : tensor<4x8xf32>
//     %19 = stablehlo.multiply %17, %cst : tensor<4x8xf32>
//     %20 = stablehlo.maximum %19, %18 : tensor<4x8xf32>
//     %21 = stablehlo.power %20, %cst : tensor<4x8xf32>
//     %22 = stablehlo.divide %21, %18 : tensor<4x8xf32>
//     return %3, %22, %10, %11, %14, %15 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>
//   }
// }
