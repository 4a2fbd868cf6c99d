// test: propagate
// One program is sharded over one mesh; a second name for the same axes would do.
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @same = <["x"=2]>
sdy.mesh @other = <["x"=4]>
func.func @add(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@same, [{"x"}]>},
    %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// error: several-meshes @7: the mesh `@other` is <["x"=4]>, of 4 devices, but the program is sharded over <["x"=2]>, of 2
