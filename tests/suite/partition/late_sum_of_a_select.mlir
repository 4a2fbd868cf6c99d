// test: partition
// A sum is taken behind a select; the zeros that it chooses from are cut for it alone, and stay zeros.
sdy.mesh @mesh = <["x"=2, "z"=2]>
func.func @main(%a0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}, %a1: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x"}]>}, %p: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %q: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}) -> (tensor<12xf32>, tensor<12x12xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  %6 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
  %7 = stablehlo.compare GT, %p, %6 : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xi1>
  %8 = stablehlo.select %7, %0, %6 : tensor<12x12xi1>, tensor<12x12xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<12x12xf32>, tensor<f32>) -> tensor<12xf32>
  %10 = stablehlo.maximum %q, %6 : tensor<12x12xf32>
  return %9, %10 : tensor<12xf32>, tensor<12x12xf32>
}
// expect:
// all_reduce tensor<12xf32> dense<[[0, 1, 2, 3]]>
// (tensor<12x6xf32>, tensor<6x6xf32>, tensor<12x6xf32>, tensor<12x6xf32>) -> (tensor<12xf32>, tensor<12x6xf32>)
