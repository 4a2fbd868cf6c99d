// test: partition
// An instruction says itself how it is sharded: each device sums a part of the product, although its operands are whole.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {meshwright.strategy = [[], ["y"], ["x"]]} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// expect:
// all_reduce tensor<8x4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<8x4xf32>, tensor<4x4xf32>) -> (tensor<8x4xf32>)
