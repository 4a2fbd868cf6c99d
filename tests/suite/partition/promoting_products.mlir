// test: partition
// The sum over devices stays in the type in which it was asked for, before a product that widens.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x4xbf16>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0] x [0] : (tensor<16xbf16>, tensor<16x4xbf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expect:
// all_reduce tensor<16xbf16> dense<[[0, 1]]>
// (tensor<4x16xbf16>, tensor<16x4xbf16>) -> (tensor<4xf32>)
