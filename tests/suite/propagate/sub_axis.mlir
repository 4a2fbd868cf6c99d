// test: propagate
// Two heads cannot be split in four: half of the axis shards them, and the rest shards within each head.
sdy.mesh @mesh = <["model"=4]>
func.func @heads(%a: tensor<3x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<3x2x8xf32> {
  %0 = stablehlo.reshape %a : (tensor<3x16xf32>) -> tensor<3x2x8xf32>
  return %0 : tensor<3x2x8xf32>
}
// expect:
// %a [{}, {"model"}]
// %0 [{?}, {"model":(1)2, ?}, {"model":(2)2, ?}]
// result 0 [{?}, {"model":(1)2, ?}, {"model":(2)2, ?}]
