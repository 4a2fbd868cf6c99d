// test: rules conservative
// Joined and padded dims have no factor, or one that is blocked.
func.func @main(%a: tensor<8x4xf32>, %z: tensor<f32>) -> tensor<16x6xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %1 = stablehlo.pad %0, %z, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x6xf32>
  return %1 : tensor<16x6xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<f32>) -> tensor<16x6xf32> {
//     %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, i], [k, i])->([l, i]) {i=4, j=1, k=1, l=1}>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
//     %1 = stablehlo.pad %0, %arg1, low = [0, 1], high = [0, 1], interior = [0, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=16, j=4} permutation={j} blocked_propagation={j}>} : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x6xf32>
//     return %1 : tensor<16x6xf32>
//   }
// }
