// test: meaning
// A dim of local size one may take its axis along when it is merged; it stands before what is cut later.
sdy.mesh @mesh = <["x"=4, "y"=3]>
func.func @main(%a: tensor<1x7x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<28xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = stablehlo.reshape %a : (tensor<1x7x12xf32>) -> tensor<1x84xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %id = stablehlo.replica_id : tensor<ui32>
  %three = stablehlo.constant dense<3> : tensor<ui32>
  %y = stablehlo.remainder %id, %three : tensor<ui32>
  %position = stablehlo.convert %y : (tensor<ui32>) -> tensor<i32>
  %size = stablehlo.constant dense<28> : tensor<i32>
  %start = stablehlo.multiply %position, %size : tensor<i32>
  %1 = stablehlo.dynamic_slice %0, %zero, %start, sizes = [1, 28] : (tensor<1x84xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x28xf32>) -> tensor<28xf32>
  return %2 : tensor<28xf32>
}
// expect:
// %a [{"x"}, {}, {}]
// %0 [{}, {}], "x:(1)2" in dim 0 or 1, "x:(2)2" in dim 0 or 1
// %zero []
// %id [], own along "x", "y"
// %three []
// %y [], own along "y"
// %position [], own along "y"
// %size []
// %start [], own along "y"
// %1 [{}, {"y"}], "x:(1)2" in dim 0 or 1, "x:(2)2" in dim 0 or 1
// %2 [{"y"}], "x:(1)2" in dim 0, "x:(2)2" in dim 0
