// Two transposed values that one collective gathers: XLA leaves them as they were laid out, and must give the right numbers.
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<24x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %2 = stablehlo.tanh %0 : tensor<16x16xf32>
    %3 = stablehlo.tanh %1 : tensor<16x24xf32>
    %4 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<16x16xf32>
    %5 = sdy.sharding_constraint %3 <@mesh, [{"x"}, {}]> : tensor<16x24xf32>
    return %4, %5 : tensor<16x16xf32>, tensor<16x24xf32>
  }
}
