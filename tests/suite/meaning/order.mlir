// test: meaning
// A branch that not all members of a group take must not hold their collective.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
                %p: tensor<2xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.slice %p [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %mine = stablehlo.reshape %0 : (tensor<1xi1>) -> tensor<i1>
  %1:2 = "stablehlo.if"(%mine) ({
    %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %2, %3 : tensor<8xf32>, tensor<8xf32>
  }, {
    %4 = stablehlo.constant dense<0.0> : tensor<8xf32>
    stablehlo.return %4, %4 : tensor<8xf32>, tensor<8xf32>
  }) : (tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
}
// error: device-program @10: D5: `stablehlo.all_gather`: members that differ along x may run it in another order: what decides whether it runs is not the same for them
// error: device-program @10: D7: `stablehlo.all_gather`: shards of dim 0, which is sharded over x, y, are put together over x
// error: device-program @16: D7: `func.return`: result 0 is [{"x"}], not [{}]
