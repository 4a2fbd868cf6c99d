// test: partition ints=0..1000
// A maximum is not that of narrowed integers: it is combined before.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xi8> {
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<8x4xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xi8>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}], unreduced=max{"x"}> : tensor<4xi8>
  return %2 : tensor<4xi8>
}
// expect:
// all_reduce tensor<4xi32> dense<[[0, 1]]>
// (tensor<4x4xi32>) -> (tensor<4xi8>)
