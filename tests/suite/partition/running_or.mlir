// test: partition
// A sum of booleans is an or, and what is added to a contribution to one is another.
sdy.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<5x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<5x3xi1> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.reduce_window"(%a, %false) <{padding = dense<[[4, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 5, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %1 = stablehlo.add %x, %y : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x3xi1>, tensor<i1>) -> tensor<5x3xi1>
  return %0 : tensor<5x3xi1>
}
// expect:
// all_gather tensor<3x3xi1> dense<[[0, 1, 2]]>
// all_gather tensor<6x3xi1> dense<[[0, 1, 2]]>
// (tensor<2x3xi1>) -> (tensor<5x3xi1>)
