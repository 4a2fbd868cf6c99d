// test: partition
// Three products leave contributions over "x" that are added up: there is one sum behind the additions. The same of two
// that meet behind transposes.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %v: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  %0 = stablehlo.dot_general %a, %u, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %3 = stablehlo.add %0, %1 : tensor<4x6xf32>
  %4 = stablehlo.add %3, %2 : tensor<4x6xf32>
  %5 = stablehlo.tanh %4 : tensor<4x6xf32>
  %6 = stablehlo.dot_general %b, %u, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %8 = stablehlo.dot_general %v, %b, contracting_dims = [0] x [1] : (tensor<8x6xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<6x4xf32>
  return %5, %9 : tensor<4x6xf32>, tensor<6x4xf32>
}
// expect:
// all_reduce tensor<4x6xf32> dense<[[0, 1]]>
// all_reduce tensor<6x4xf32> dense<[[0, 1]]>
// (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x4xf32>)
