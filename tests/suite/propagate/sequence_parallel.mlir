// test: propagate complete
// The residual stream is constrained to be sharded over tokens; between the two weights the axis shards the hidden
// dim: gathered before the first product, scattered after the second.
sdy.mesh @mesh = <["model"=4]>
func.func @mlp(%x: tensor<64x16xf32>, %up: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %down: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<64x16xf32> {
  %in = sdy.sharding_constraint %x <@mesh, [{"model"}, {}]> : tensor<64x16xf32>
  %h = stablehlo.dot_general %in, %up, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
  %a = stablehlo.tanh %h : tensor<64x32xf32>
  %o = stablehlo.dot_general %a, %down, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %sum = stablehlo.add %in, %o : tensor<64x16xf32>
  %out = sdy.sharding_constraint %sum <@mesh, [{"model"}, {}]> : tensor<64x16xf32>
  return %out : tensor<64x16xf32>
}
// expect:
// %x [{"model"}, {}]
// %up [{}, {"model"}]
// %down [{"model"}, {}]
// %in [{"model"}, {}]
// %h [{}, {"model"}]    made [{}, {"model"}] from [{}, {}] x [{}, {"model"}]
// %a [{}, {"model"}]
// %o [{"model"}, {}]    made [{}, {}], unreduced={"model"} from [{}, {"model"}] x [{"model"}, {}]
// %sum [{"model"}, {}]
// %out [{"model"}, {}]
// result 0 [{"model"}, {}]
