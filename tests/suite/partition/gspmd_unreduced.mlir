// test: partition
// Arguments of which each device has what adds up to them: over all devices, and along the last tile dim.
func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}"}, %y: tensor<8x4xf32> {mhlo.sharding = "{unreduced}"}) -> tensor<8x4xf32> {
  %0 = stablehlo.sine %x : tensor<8x4xf32>
  %1 = stablehlo.sine %y : tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// expect:
// all_reduce tensor<4x4xf32> dense<[[0, 1], [2, 3]]>
// all_reduce tensor<8x4xf32> dense<[[0, 1, 2, 3]]>
// (tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<4x4xf32>)
