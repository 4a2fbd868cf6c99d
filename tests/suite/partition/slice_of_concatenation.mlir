// test: partition
// What is cut out of a concatenation again is the part that went in: nothing is sent for it.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<24x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<32x3xf32>, tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8x3xf32>, tensor<24x3xf32>) -> tensor<32x3xf32>
  %1 = stablehlo.slice %0 [0:8, 0:3] : (tensor<32x3xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.add %1, %a : tensor<8x3xf32>
  %3 = stablehlo.slice %0 [8:32:2, 0:3] : (tensor<32x3xf32>) -> tensor<12x3xf32>
  return %0, %2, %3 : tensor<32x3xf32>, tensor<8x3xf32>, tensor<12x3xf32>
}
// expect:
// warning: `stablehlo.concatenate` gathers dim 0 of operand 0 whole, which is sharded over x: every device gets 96 B
// warning: `stablehlo.concatenate` gathers dim 0 of operand 1 whole, which is sharded over x: every device gets 288 B
// all_gather tensor<8x3xf32> dense<[[0, 1, 2, 3]]>
// all_gather tensor<24x3xf32> dense<[[0, 1, 2, 3]]>
// (tensor<2x3xf32>, tensor<6x3xf32>) -> (tensor<32x3xf32>, tensor<2x3xf32>, tensor<3x3xf32>)
