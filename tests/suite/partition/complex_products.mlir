// test: partition
// Contributions to complex products are filled up with zeros before they are summed and shared out.
sdy.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<2x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8xcomplex<f32>>) -> (tensor<2xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// expect:
// reduce_scatter tensor<1xcomplex<f32>> dense<[[0, 1, 2]]>
// (tensor<2x3xcomplex<f32>>, tensor<8xcomplex<f32>>) -> (tensor<1xcomplex<f32>>)
