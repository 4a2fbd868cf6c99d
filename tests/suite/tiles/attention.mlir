// test: tiles count=4
// An attention without gradients, in tiles of queries: the mask counts from where its queries are, what is made of
// constants is made in the loop, and keys and values are read whole.
func.func @main(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x64xf32>
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %later = stablehlo.compare GE, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<64x64xf32>
  %masked = stablehlo.select %later, %s, %low : tensor<64x64xi1>, tensor<64x64xf32>
  %m = stablehlo.reduce(%masked init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.subtract %masked, %mb : tensor<64x64xf32>
  %e = stablehlo.exponential %d : tensor<64x64xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %p = stablehlo.divide %e, %nb : tensor<64x64xf32>
  %o = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  return %o : tensor<64x4xf32>
}
// expect: nothing can run in tiles
