// test: partition
// A tensor without elements is whole at no cost.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<1x0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> tensor<0x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<1x0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
// expect: (tensor<1x0x2xf32>) -> (tensor<0x4xf32>)
