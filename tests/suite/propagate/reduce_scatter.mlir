// test: propagate complete
// A partial sum that is wanted sharded is scattered, not combined everywhere and then sliced.
sdy.mesh @mesh = <["x"=2]>
func.func @sum(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expect:
// %a [{"x"}, {}]
// %0 [{"x"}]    made [{}], unreduced={"x"} from [{"x"}, {}] x []
// result 0 [{"x"}]
