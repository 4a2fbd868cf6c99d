// test: partition
// A maximum of unsigned numbers has the neutral element of a sum; what it is is said by who reads it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<6x6xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<6x6xui8> {
  %b = stablehlo.add %a, %a : tensor<6x6xui8>
  %0 = sdy.sharding_constraint %b <@mesh, [{?}, {?}], unreduced=max{"x"}> : tensor<6x6xui8>
  return %0 : tensor<6x6xui8>
}
// expect:
// all_reduce tensor<6x6xui8> dense<[[0, 1]]>
// (tensor<6x3xui8>) -> (tensor<6x6xui8>)
