// test: partition ints=0..1000000007
// Every device draws all bits from the whole state and keeps its own, the same ones; and so does the state behind them.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%s: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<6x4x4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
        tensor<3x5x8xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>},
        tensor<7xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
        tensor<2x8xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui32>)
  %1:2 = stablehlo.rng_bit_generator %0#0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  %2:2 = stablehlo.rng_bit_generator %1#0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui8>)
  // Bytes, as wide integers are compared relative to the largest.
  %3 = stablehlo.bitcast_convert %0#1 : (tensor<6x4xui32>) -> tensor<6x4x4xui8>
  %4 = stablehlo.bitcast_convert %1#1 : (tensor<3x5xui64>) -> tensor<3x5x8xui8>
  %5 = stablehlo.bitcast_convert %2#0 : (tensor<2xui64>) -> tensor<2x8xui8>
  return %3, %4, %2#1, %5 : tensor<6x4x4xui8>, tensor<3x5x8xui8>, tensor<7xui8>, tensor<2x8xui8>
}
// expect:
// warning: `stablehlo.rng_bit_generator` needs dim 0 of operand 0 whole, which is sharded over x: every device gets 16 B
// warning: `stablehlo.rng_bit_generator` makes dim 0 and 1 of result 1 whole, which is sharded over x, y: every device gets 96 B
// warning: `stablehlo.rng_bit_generator` makes dim 0 of result 1 whole, which is sharded over y: every device gets 120 B
// warning: `stablehlo.rng_bit_generator` makes dim 0 of result 0 whole, which is sharded over y: every device gets 16 B
// warning: `stablehlo.rng_bit_generator` makes dim 0 of result 1 whole, which is sharded over x, y: every device gets 7 B
// all_gather tensor<2xui64> dense<[[0, 2], [1, 3]]>
// (tensor<1xui64>) -> (tensor<3x2x4xui8>, tensor<2x5x8xui8>, tensor<2xui8>, tensor<1x8xui8>)
