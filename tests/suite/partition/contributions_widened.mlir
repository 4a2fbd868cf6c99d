// test: partition ints=0..100
// A sum of narrow integers wraps around before they are widened: it is combined before.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xi32> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xi8>, tensor<i8>) -> tensor<4xi8>
  %1 = stablehlo.convert %0 : (tensor<4xi8>) -> tensor<4xi32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}], unreduced={"x"}> : tensor<4xi32>
  return %2 : tensor<4xi32>
}
// expect:
// all_reduce tensor<4xi8> dense<[[0, 1]]>
// (tensor<4x4xi8>) -> (tensor<4xi32>)
