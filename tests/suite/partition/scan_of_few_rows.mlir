// test: partition
// A loop that reads few rows of a sharded value: gathering them all would send more than summing one in each turn.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%rows: tensor<80x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %start = stablehlo.constant dense<0.5> : tensor<6xf32>
  %0:3 = stablehlo.while(%i = %zero, %x = %start, %all = %rows) : tensor<i32>, tensor<6xf32>, tensor<80x6xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %row = stablehlo.dynamic_slice %all, %i, %zero, sizes = [1, 6] : (tensor<80x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
      %r = stablehlo.reshape %row : (tensor<1x6xf32>) -> tensor<6xf32>
      %t = stablehlo.tanh %x : tensor<6xf32>
      %y = stablehlo.multiply %t, %r : tensor<6xf32>
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %y, %all : tensor<i32>, tensor<6xf32>, tensor<80x6xf32>
    }
  return %0#1 : tensor<6xf32>
}
// expect:
// all_reduce tensor<1x6xf32> dense<[[0, 1, 2, 3]]>
// (tensor<20x6xf32>) -> (tensor<6xf32>)
