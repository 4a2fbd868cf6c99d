// test: partition
// Members of tuples stay sharded where it shows what they are, here through a call.
sdy.mesh @mesh = <["x"=2]>
func.func private @pair(%t: tuple<tensor<4xf32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tuple<tensor<4xf32>>> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  %3 = stablehlo.tuple %1 : tuple<tensor<4xf32>>
  %4 = stablehlo.tuple %2, %3 : tuple<tensor<4xf32>, tuple<tensor<4xf32>>>
  return %4 : tuple<tensor<4xf32>, tuple<tensor<4xf32>>>
}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<4xf32>>
  %1 = call @pair(%0) : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tuple<tensor<4xf32>>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<4xf32>, tuple<tensor<4xf32>>>) -> tensor<4xf32>
  %3 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<4xf32>, tuple<tensor<4xf32>>>) -> tuple<tensor<4xf32>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return %2, %4 : tensor<4xf32>, tensor<4xf32>
}
// expect: (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
