// test: module
// A group cannot hold values of different shapes.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  sdy.sharding_group %b group_id=7 : tensor<4xf32>
  return
}
// error: sharding-group @6: the values of sharding group 7 have different shapes
