// test: partition
// The same where no dim divides: the zeros are padded with zeros.
sdy.mesh @mesh = <["x"=2, "z"=2]>
func.func @main(%a0: tensor<13x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}, %a1: tensor<13x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x"}]>}, %p: tensor<13x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %q: tensor<13x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}) -> (tensor<13xf32>, tensor<13x13xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<13x13xf32>, tensor<13x13xf32>) -> tensor<13x13xf32>
  %6 = stablehlo.constant dense<0.0> : tensor<13x13xf32>
  %7 = stablehlo.compare GT, %p, %6 : (tensor<13x13xf32>, tensor<13x13xf32>) -> tensor<13x13xi1>
  %8 = stablehlo.select %7, %0, %6 : tensor<13x13xi1>, tensor<13x13xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<13x13xf32>, tensor<f32>) -> tensor<13xf32>
  %10 = stablehlo.maximum %q, %6 : tensor<13x13xf32>
  return %9, %10 : tensor<13xf32>, tensor<13x13xf32>
}
// expect:
// all_reduce tensor<13xf32> dense<[[0, 1, 2, 3]]>
// all_gather tensor<13x14xf32> dense<[[0, 1], [2, 3]]>
// (tensor<13x7xf32>, tensor<7x7xf32>, tensor<13x7xf32>, tensor<13x7xf32>) -> (tensor<13xf32>, tensor<13x13xf32>)
