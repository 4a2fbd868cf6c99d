// test: partition
// A scan along a dim without elements takes no slices: it gives what it starts with.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %start: tensor<4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>) {
  %0:2 = chlo.scan(%a) inits(%start) dimension=0 {
  ^bb0(%in: tensor<4xf32>, %carry: tensor<4xf32>):
    %n = stablehlo.add %in, %carry : tensor<4xf32>
    stablehlo.return %n, %n : tensor<4xf32>, tensor<4xf32>
  } : (tensor<0x4xf32>, tensor<4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<0x4xf32>, tensor<4xf32>
}
// expect: (tensor<0x2xf32>, tensor<4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>)
