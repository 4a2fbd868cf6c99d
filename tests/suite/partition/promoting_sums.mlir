// test: partition ints=60..100
// A reduction that promotes reads a sum over devices combined.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x16x4xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<4xi32> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16x4xi8>, tensor<i8>) -> tensor<16x4xi8>
  %1 = "stablehlo.reduce"(%0, %z) <{dimensions = array<i64: 0>}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %s = stablehlo.add %l, %r : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<16x4xi8>, tensor<i8>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// expect:
// all_reduce tensor<16x4xi8> dense<[[0, 1]]>
// (tensor<4x16x4xi8>) -> (tensor<4xi32>)
