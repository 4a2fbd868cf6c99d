// test: verify
// All ops that break their rules are reported, each with the constraint's number.
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 1:7] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<5x5xf32>
  %2 = stablehlo.transpose %arg0, dims = [1, 1] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %3 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x7xf32>
  %4 = stablehlo.concatenate %arg0, %2, dim = 0 : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<10x6xf32>
  %5 = stablehlo.pad %arg0, %arg1, low = [-5, 0], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %6 = stablehlo.iota dim = 2 : tensor<4x6xf32>
  %7 = stablehlo.reverse %arg0, dims = [2] : tensor<4x6xf32>
  return %7 : tensor<4x6xf32>
}
// error: op @4: `stablehlo.slice`: C3: 1:7 is not a range of dim 1, which has size 6
// error: op @5: `stablehlo.reshape`: C2: 24 elements cannot become 25
// error: op @6: `stablehlo.transpose`: C2: [1, 1] does not permute the dims of tensor<4x6xf32>
// error: op @7: `stablehlo.broadcast_in_dim`: C5: dim 1 of size 6 cannot become dim 1 of size 7
// error: op @8: `stablehlo.concatenate`: C2: tensor<6x4xf32> and tensor<4x6xf32> differ in more than dim 0
// error: op @9: `stablehlo.pad`: C4: dim 0 is padded to a negative or too large size
// error: op @10: `stablehlo.iota`: C1: dim 2 is out of range for a result of rank 2
// error: op @11: `stablehlo.reverse`: C3: dims [2] are not all below the rank 2
