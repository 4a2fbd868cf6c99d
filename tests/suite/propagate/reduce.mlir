// test: propagate complete
// A sum over a sharded dim is partial, and is combined where the value is kept.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @sum(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// %a [{"x"}, {"y"}]
// %0 [{"x"}]    made [{"x"}], unreduced={"y"} from [{"x"}, {"y"}] x []
// result 0 [{"x"}]
