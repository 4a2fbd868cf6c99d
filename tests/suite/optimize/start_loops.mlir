// test: optimize pass=start-loops machine=cpu8
// The stack that a loop fills is made when the last thing that the loop begins with is there; a small sum stays as it is.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %stack = stablehlo.constant dense<0.0> : tensor<64x4096xf32>
  %sum = stablehlo.constant dense<0.0> : tensor<4096xf32>
  %x = stablehlo.tanh %a : tensor<64x4096xf32>
  %r:4 = stablehlo.while(%i = %zero, %s = %stack, %t = %sum, %y = %x) : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
  cond {
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %y, %i, %zero, sizes = [1, 4096] : (tensor<64x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4096xf32>
    %put = stablehlo.dynamic_update_slice %s, %row, %i, %zero : (tensor<64x4096xf32>, tensor<1x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
    %flat = stablehlo.reshape %row : (tensor<1x4096xf32>) -> tensor<4096xf32>
    %added = stablehlo.add %t, %flat : tensor<4096xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %put, %added, %y : tensor<i32>, tensor<64x4096xf32>, tensor<4096xf32>, tensor<64x4096xf32>
  }
  return %r#1, %r#2 : tensor<64x4096xf32>, tensor<4096xf32>
}
// expect: 
