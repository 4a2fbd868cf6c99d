// test: eval
// A batch normalized by its own mean and variance, and the gradients of that; a gradient that is the same everywhere
// changes nothing but the offset.
func.func @main() -> (tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>) {
  %x = stablehlo.constant dense<[[1.0], [3.0], [1.0], [3.0]]> : tensor<4x1xf64>
  %scale = stablehlo.constant dense<2.0> : tensor<1xf64>
  %offset = stablehlo.constant dense<10.0> : tensor<1xf64>
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>)
  %g = stablehlo.constant dense<3.0> : tensor<4x1xf64>
  %1:3 = "stablehlo.batch_norm_grad"(%x, %scale, %0#1, %0#2, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<4x1xf64>) -> (tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<4x1xf64>, tensor<1xf64>, tensor<1xf64>
}
// expect:
// tensor<4x1xf64> [[8], [12], [8], [12]]
// tensor<1xf64> [2]
// tensor<1xf64> [1]
// tensor<4x1xf64> [[0], [0], [0], [0]]
// tensor<1xf64> [0]
// tensor<1xf64> [12]
