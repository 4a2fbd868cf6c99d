// test: partition
// Nothing is sent of a tensor without elements.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.sine %a : tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}
// expect: (tensor<0x8xf32>) -> (tensor<0x8xf32>)
