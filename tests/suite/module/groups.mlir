// test: module
// Members of a group are sharded alike, though no operation ties them.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  sdy.sharding_group %b group_id=7 : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//     return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
//   }
// }
