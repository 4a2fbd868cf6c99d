// test: meaning
// A contribution goes into an exponential, and next to what is complete into a sum; its place is named.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.exponential %0 : tensor<4x4xf32>
  %2 = stablehlo.add %0, %c : tensor<4x4xf32>
  %3 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  %4 = stablehlo.negate %0 : tensor<4x4xf32>
  return %1, %2, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// error: device-program @8: D6: `stablehlo.exponential`: operand 0 is only a contribution to a sum over x, but is used as if it were complete
// error: device-program @9: D6: `stablehlo.add`: operand 1 is complete, but the result is a contribution to a sum over x: it would count once per device
// error: device-program @10: D6: `stablehlo.multiply`: operand 0 is a contribution to a sum over x, and operand 1 is not the same on all devices that contribute
// error: device-program @12: D6: `func.return`: result 2 is returned as complete, but is a contribution over x
