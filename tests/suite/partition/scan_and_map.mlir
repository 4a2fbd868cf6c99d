// test: partition
// A scan steps along a dim that is not sharded and keeps the others sharded; a map is its ops, or works on shards.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %start: tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %0:2 = chlo.scan(%a) inits(%start) dimension=0 attributes {is_reverse = true} {
  ^bb0(%in: tensor<4xf32>, %carry: tensor<4xf32>):
    %s = chlo.square %in : tensor<4xf32> -> tensor<4xf32>
    %n = stablehlo.add %s, %carry : tensor<4xf32>
    stablehlo.return %n, %n : tensor<4xf32>, tensor<4xf32>
  } : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  %1 = "stablehlo.map"(%a, %0#0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %p = stablehlo.multiply %x, %c : tensor<f32>
    %q = stablehlo.add %p, %y : tensor<f32>
    stablehlo.return %q : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %s = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%s init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0#0, %0#1, %1, %2 : tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
// expect: (tensor<6x2xf32>, tensor<2xf32>) -> (tensor<6x2xf32>, tensor<2xf32>, tensor<6x2xf32>, tensor<6x2xf32>)
