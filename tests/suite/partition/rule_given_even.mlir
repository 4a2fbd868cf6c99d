// test: partition
// What padding would do to an unknown kernel is not known: by a rule that is given, dims are cut into equal parts only.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.custom_call @sums(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j]) {i=6, j=8} reduction={i}, custom>} : (tensor<6x8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @sums(%b) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j]) {i=8, j=8} reduction={i}, custom>} : (tensor<8x8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// expect:
// all_gather tensor<8x8xf32> dense<[[0, 1, 2, 3]]>
// all_reduce tensor<8xf32> dense<[[0, 1, 2, 3]]>
// (tensor<2x8xf32>, tensor<2x8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
