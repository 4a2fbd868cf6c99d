// test: partition
// Meshes of different numbers of devices are refused.
sdy.mesh @four = <["x"=4]>
sdy.mesh @two = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// error: several-meshes @5: the mesh `@two` is <["x"=2]>, of 2 devices, but the program is sharded over <["x"=4]>, of 4
