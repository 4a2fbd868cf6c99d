// test: partition ints=60..100
// Sums of narrow integers wrap around before a product widens them: none is taken behind it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x16xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x2xi8>) -> tensor<2xi32> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xi8>, tensor<i8>) -> tensor<16xi8>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0] x [0] : (tensor<16xi8>, tensor<16x2xi8>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
// expect:
// all_reduce tensor<16xi8> dense<[[0, 1]]>
// (tensor<4x16xi8>, tensor<16x2xi8>) -> (tensor<2xi32>)
