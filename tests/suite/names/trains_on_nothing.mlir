// test: names
// A step that is fed nothing: both factors of the only product are parameters, though the gradient of one reads the other.
sdy.mesh @mesh = <["model"=8]>
func.func @step(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %b: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
  %db = stablehlo.dot_general %y, %a, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x16xf32>) -> tensor<16xf32>
  %new_b = stablehlo.subtract %b, %db : tensor<16xf32>
  %da = stablehlo.dot_general %y, %b : (tensor<8xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %new_a = stablehlo.subtract %a, %da : tensor<8x16xf32>
  return %new_a, %new_b : tensor<8x16xf32>, tensor<16xf32>
}
// expect:
// sharded over 8
// dp=1, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, parameter
