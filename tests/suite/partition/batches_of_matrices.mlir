// test: partition
// Transforms, factorizations and solvers sharded over their batches, systems over their right sides too; a product of
// matrices over the dim that it sums.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x3x3xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                %b: tensor<4x3x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                %m: tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
                %n: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %c: tensor<4x8xcomplex<f64>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<4x3x6xf64>, tensor<5x2xf32>, tensor<4x8xcomplex<f64>>) {
  %t = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<4x3x3xf64>) -> tensor<4x3x3xf64>
  %p = stablehlo.dot_general %a, %t, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x3x3xf64>, tensor<4x3x3xf64>) -> tensor<4x3x3xf64>
  %i = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %e = stablehlo.broadcast_in_dim %i, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<4x3x3xf64>
  %q = stablehlo.add %p, %e : tensor<4x3x3xf64>
  %0 = stablehlo.cholesky %q, lower = true : tensor<4x3x3xf64>
  %1 = "stablehlo.triangular_solve"(%0, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x3x3xf64>, tensor<4x3x6xf64>) -> tensor<4x3x6xf64>
  %2 = stablehlo.dot %m, %n : (tensor<5x8xf32>, tensor<8x2xf32>) -> tensor<5x2xf32>
  %3 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>>
  return %1, %2, %3 : tensor<4x3x6xf64>, tensor<5x2xf32>, tensor<4x8xcomplex<f64>>
}
// expect:
// all_reduce tensor<5x2xf32> dense<[[0, 1, 2, 3]]>
// (tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<5x2xf32>, tensor<2x2xf32>, tensor<2x8xcomplex<f64>>) -> (tensor<2x3x3xf64>, tensor<5x2xf32>, tensor<2x8xcomplex<f64>>)
