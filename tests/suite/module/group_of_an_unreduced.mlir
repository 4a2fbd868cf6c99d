// test: module
// Members of a group share the whole sharding: also that one of them is given as contributions.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32>, tensor<8xf32>) {
//     return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
//   }
// }
