// test: optimize pass=overlap-products machine=h100:2
// Each step of a ring would need another part of the second operand, but the first is a contribution to all: it stays as it is.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4096x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<4096x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] {meshwright.strategy = [[], [], []]} : (tensor<4096x4096xf32>, tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
  return %1 : tensor<4096x2048xf32>
}
// error: device-program @7: D6: `func.return`: result 0 is returned as complete, but is a contribution over x
