// test: names
// Without contractions there is no work to name axes by; but they are not idle.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @sum(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// expect:
// sharded over 4, replicated over 2
// dp=1, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// data [b b], data [b b]
