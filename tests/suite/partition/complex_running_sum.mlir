// test: partition
// The zero that a sum of complex numbers begins with changes nothing: a shard's own sum is a contribution.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xcomplex<f32>> {
  %zero = stablehlo.constant dense<(0.0,0.0)> : tensor<complex<f32>>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4, 1>}> ({
  ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
    %1 = stablehlo.add %x, %y : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) : (tensor<4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8xcomplex<f32>>
  return %0 : tensor<4x8xcomplex<f32>>
}
// expect:
// all_gather tensor<2x8xcomplex<f32>> dense<[[0, 2], [1, 3]]>
// (tensor<2x8xcomplex<f32>>) -> (tensor<2x8xcomplex<f32>>)
