// test: tiles count=4
// Along its two heads nothing adds up, but they do not divide into four: the queries do, along which `%dk` adds up.
func.func @main(%q: tensor<2x64x4xf32>, %k: tensor<2x64x4xf32>) -> (tensor<2x64x4xf32>, tensor<2x64x4xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x64x4xf32>, tensor<2x64x4xf32>) -> tensor<2x64x64xf32>
  %p = stablehlo.tanh %s : tensor<2x64x64xf32>
  %y = stablehlo.dot_general %p, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x64x64xf32>, tensor<2x64x4xf32>) -> tensor<2x64x4xf32>
  %dk = stablehlo.dot_general %p, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x64x64xf32>, tensor<2x64x4xf32>) -> tensor<2x64x4xf32>
  return %y, %dk : tensor<2x64x4xf32>, tensor<2x64x4xf32>
}
