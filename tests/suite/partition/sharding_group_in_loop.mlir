// test: partition
// A member that a loop carries shards all of its group with the loop, and the loop with the group.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.cosine %x : tensor<8x4xf32>
      sdy.sharding_group %x group_id=7 : tensor<8x4xf32>
      stablehlo.return %n, %y : tensor<i32>, tensor<8x4xf32>
    }
  sdy.sharding_group %b group_id=7 : tensor<8x4xf32>
  %1 = stablehlo.tanh %b : tensor<8x4xf32>
  return %0#1, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect: (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
