// test: roundtrip
// Dims are closed or open and may have priorities; axes are whole or parts; the rest is replicated or unreduced. Blanks
// and full forms make no difference.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
#whole = #sdy.sharding<@mesh, [{"x"}, {}]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #whole}, %arg1: tensor<8x4xf32> {sdy.sharding=#sdy.sharding<@mesh,[{"x":(1)2 , "y", "x" : (2) 4}p0 , { ? }p12]>}, %arg2: tensor<7x5xf32> {sdy.sharding = #sdy<sharding<@mesh, [{"z", ?}, {"x":(4)2}]>>}, %arg3: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"x":(1)4, "z"}>}, %arg4: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"y"}, replicated={"x"}>}, tensor<8x4xf32>) {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced=max{"x":(2)2, "z"}>]>} : tensor<8x4xf32>
  %1 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=sum{"x"}>]>} : tensor<8x4xf32>
  %2:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[#whole, <@mesh, [#sdy<dimension_sharding{"y"}>, {"x":(1)2}], unreduced=min{"z"}>]>} %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
  return {sdy.sharding = #sdy.sharding_per_value<[]>} %2#0, %2#1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
//   func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "y", "x":(2)4}p0, {?}p12]>}, %arg2: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", ?}, {"x":(4)2}]>}, %arg3: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"x":(1)4, "z"}>}, %arg4: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"x"}, unreduced={"y"}>}, tensor<8x4xf32>) {
//     %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced=max{"x":(2)2, "z"}>]>} : tensor<8x4xf32>
//     %1 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : tensor<8x4xf32>
//     %2:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {"x":(1)2}], unreduced=min{"z"}>]>} %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
//     return {sdy.sharding = #sdy.sharding_per_value<[]>} %2#0, %2#1 : tensor<8x4xf32>, tensor<8x4xf32>
//   }
// }
