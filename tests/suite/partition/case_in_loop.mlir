// test: partition
// A case inside a loop, its branches sharded unlike each other: they meet in the sharding of the result.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x8xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %v = %a) : tensor<i32>, tensor<8x8xf32>
  cond {
    %end = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %1 = "stablehlo.case"(%i) ({
      %2 = stablehlo.sine %v : tensor<8x8xf32>
      stablehlo.return %2 : tensor<8x8xf32>
    }, {
      %3 = stablehlo.cosine %b : tensor<8x8xf32>
      stablehlo.return %3 : tensor<8x8xf32>
    }, {
      %4 = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %4 : tensor<8x8xf32>
    }) : (tensor<i32>) -> tensor<8x8xf32>
    stablehlo.return %j, %1 : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}
// expect:
// all_gather tensor<4x8xf32> dense<[[0, 1], [2, 3]]>
// all_gather tensor<8x4xf32> dense<[[0, 2], [1, 3]]>
// (tensor<4x8xf32>, tensor<8x4xf32>) -> (tensor<4x4xf32>)
