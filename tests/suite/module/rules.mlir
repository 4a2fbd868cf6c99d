// test: rules
// Each op's factors: what passes through, what is reduced, what moves, what every device needs whole.
func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %i: tensor<i32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<8x6xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x6xf32>) -> tensor<2x24xf32>
  %3 = stablehlo.slice %2 [0:2, 0:12] : (tensor<2x24xf32>) -> tensor<2x12xf32>
  %4 = stablehlo.dynamic_slice %3, %i, %i, sizes = [2, 2] : (tensor<2x12xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return %4 : tensor<2x2xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<i32>) -> tensor<2x2xf32> {
//     %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
//     %1 = stablehlo.reverse %0, dims = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6} permutation={j}>} : tensor<8x6xf32>
//     %2 = stablehlo.reshape %1 {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=4, k=6}>} : (tensor<8x6xf32>) -> tensor<2x24xf32>
//     %3 = stablehlo.slice %2 [0:2, 0:12] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=2, j=24} permutation={j}>} : (tensor<2x24xf32>) -> tensor<2x12xf32>
//     %4 = stablehlo.dynamic_slice %3, %arg2, %arg2, sizes = [2, 2] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [], [])->([i, j]) {i=2, j=12} need_replication={j} blocked_propagation={j}>} : (tensor<2x12xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
//     return %4 : tensor<2x2xf32>
//   }
// }
