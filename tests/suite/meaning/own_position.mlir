// test: meaning
// A device's own number says which shard it cuts out, where its positions begin, and what it alone contributes.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<f32>) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %four = stablehlo.constant dense<4> : tensor<ui32>
  %first = stablehlo.constant dense<0> : tensor<ui32>
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.divide %id, %four : tensor<ui32>
  %start = stablehlo.multiply %x, %four : tensor<ui32>
  %at = stablehlo.convert %start : (tensor<ui32>) -> tensor<i32>
  %shard = stablehlo.dynamic_slice %a, %at, %zero, sizes = [4, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %count = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %offset = stablehlo.broadcast_in_dim %at, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
  %position = stablehlo.add %count, %offset : tensor<4x4xi32>
  %is_first = stablehlo.compare EQ, %x, %first : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %once = stablehlo.select %is_first, %b, %none : tensor<i1>, tensor<f32>
  %split = stablehlo.reshape %shard : (tensor<4x4xf32>) -> tensor<1x2x2x4xf32>
  return %shard : tensor<4x4xf32>
}
// expect:
// %a [{}, {}]
// %b []
// %zero []
// %none []
// %four []
// %first []
// %id [], own along "x", "y"
// %x [], own along "x"
// %start [], own along "x"
// %at [], own along "x"
// %shard [{"x"}, {}]
// %count [{}, {}]
// %offset [{}, {}], own along "x"
// %position [{"x"}, {}]
// %is_first [], own along "x"
// %once [], partial sum over "x"
// %split [{}, {}, {}, {}], "x" in dim 0 or 1
