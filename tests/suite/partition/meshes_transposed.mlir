// test: partition
// Axes in another order with the devices to match are the same axes.
sdy.mesh @rows = <["x"=2, "y"=3]>
sdy.mesh @columns = <["y"=3, "x"=2], device_ids=[0, 3, 1, 4, 2, 5]>
func.func @main(%a: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@rows, [{"x"}, {"y"}]>}, %b: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@columns, [{"x"}, {"y"}]>}) -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@columns, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.add %a, %b : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// expect: (tensor<3x2xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
