// test: partition
// Each device finds the largest of its columns and where it is; the winners are gathered, not the columns. Those
// behind the last column never win.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<6xi32> {
  %at = stablehlo.iota dim = 1 : tensor<6x18xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %least), (%at init: %zero) across dimensions = [1] : (tensor<6x18xf32>, tensor<6x18xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
   reducer(%l: tensor<f32>, %r: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %l, %r : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<6xi32>
}
// expect:
// all_gather tensor<3x4xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// all_gather tensor<3x4xi32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<3x5xf32>) -> (tensor<3xi32>)
