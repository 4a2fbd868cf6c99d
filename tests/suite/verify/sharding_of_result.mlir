// test: verify
// What is wrong with a result's sharding is said at the result.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %a, %a : tensor<8x4xf32>, tensor<8x4xf32>
}
// error: sharding @6: result 1 of `@main`: the sharding has 1 dim, but the tensor has 2
