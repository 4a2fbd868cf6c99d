// test: partition
// A sort and a factorization need whole dims, and say so; what is gathered because that is cheaper, or made on every
// device from constants, is not worth a word.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = stablehlo.dot_general %b, %t, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.cholesky %s, lower = true : tensor<8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8xf32>
  %n = stablehlo.sine %i {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0, %1, %n : tensor<8x4xf32>, tensor<8x8xf32>, tensor<8xf32>
}
// expect:
// warning: `stablehlo.sort` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 64 B
// warning: `stablehlo.cholesky` needs dim 0 of operand 0 whole, which is sharded over x, y: every device gets 256 B
// all_gather tensor<8x2xf32> dense<[[0, 2], [1, 3]]>
// all_gather tensor<8x8xf32> dense<[[0, 1, 2, 3]]>
// all_gather tensor<8x8xf32> dense<[[0, 1, 2, 3]]>
// (tensor<4x2xf32>, tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<8x8xf32>, tensor<4xf32>)
