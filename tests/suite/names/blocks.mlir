// test: names
// Blocks of a matrix, into which the width is split, are no experts: no token is sent to one of them.
sdy.mesh @mesh = <["model"=4]>
func.func @forward(%up: tensor<8x32xf32>, %blocks: tensor<4x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %down: tensor<32x8xf32>, %x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %h = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %split = stablehlo.reshape %h : (tensor<64x32xf32>) -> tensor<64x4x8xf32>
  %mixed = stablehlo.dot_general %split, %blocks, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<64x4x8xf32>, tensor<4x8x8xf32>) -> tensor<4x64x8xf32>
  %turned = stablehlo.transpose %mixed, dims = [1, 0, 2] : (tensor<4x64x8xf32>) -> tensor<64x4x8xf32>
  %whole = stablehlo.reshape %turned : (tensor<64x4x8xf32>) -> tensor<64x32xf32>
  %y = stablehlo.dot_general %whole, %down, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x8xf32>) -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
// expect:
// tensor parallel over 4
// dp=1, fsdp=1, tp=4, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, parameter, data [b -]
