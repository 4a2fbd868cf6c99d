// test: partition
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.add %a, %a {meshwright.strategy = [["x"]]} : tensor<8x4xf32>
  %1 = stablehlo.add %a, %a {meshwright.strategy = [["x"], ["z"]]} : tensor<8x4xf32>
  %2 = stablehlo.add %a, %a {meshwright.strategy = "x"} : tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
// error: annotation @4: `meshwright.strategy` does not fit: the rule has 2 factors, not 1
// error: annotation @5: `meshwright.strategy` does not fit: mesh @mesh has no axis "z"
// error: annotation @6: `meshwright.strategy` does not fit: it is not a list of lists of axes
