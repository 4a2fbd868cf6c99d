// test: partition
// Of reshapes on devices that hold one element nobody can tell which dim is sharded.
module {
  sdy.mesh @mesh = <["x"=3]>
  func.func public @main(%arg0: tensor<1x3xf32>) -> (tensor<3x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x3xf32>) -> tensor<3xf32>
    %1 = stablehlo.reshape %0 : (tensor<3xf32>) -> tensor<3x1xf32>
    return %1 : tensor<3x1xf32>
  }
}
// expect: (tensor<1x1xf32>) -> (tensor<1x1xf32>)
