// test: eval
// Tuples in tuples, through a call and a barrier; of a result that is a tuple each member is a result.
func.func private @swap(%t: tuple<tensor<i32>, tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<i32>> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
  %2 = stablehlo.tuple %1, %0 : tuple<tensor<2xf32>, tensor<i32>>
  return %2 : tuple<tensor<2xf32>, tensor<i32>>
}
func.func @main() -> (tensor<i32>, tuple<tensor<2xf32>, tuple<tensor<i32>>>) {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %b = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.tuple %a, %b : tuple<tensor<i32>, tensor<2xf32>>
  %1 = call @swap(%0) : (tuple<tensor<i32>, tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %3 = stablehlo.tuple %2 : tuple<tensor<i32>>
  %4 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %5 = stablehlo.tuple %4, %3 : tuple<tensor<2xf32>, tuple<tensor<i32>>>
  return %2, %5 : tensor<i32>, tuple<tensor<2xf32>, tuple<tensor<i32>>>
}
// expect:
// tensor<i32> 7
// tensor<2xf32> [1, 2]
// tensor<i32> 7
