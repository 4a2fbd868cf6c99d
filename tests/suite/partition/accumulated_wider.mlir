// test: partition
// What is made in a narrow type and added up in a wider one is summed in the wider one, once.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<3x4x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %u: tensor<8x6xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x6xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %zeros) : tensor<i32>, tensor<4x6xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %ai = stablehlo.dynamic_slice %a, %i, %zero, %zero, sizes = [1, 4, 8] : (tensor<3x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xbf16>
    %b = stablehlo.reshape %ai : (tensor<1x4x8xbf16>) -> tensor<4x8xbf16>
    %g = stablehlo.dot_general %b, %u, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xbf16>
    %w = stablehlo.convert %g : (tensor<4x6xbf16>) -> tensor<4x6xf32>
    %next = stablehlo.add %sum, %w : tensor<4x6xf32>
    stablehlo.return %j, %next : tensor<i32>, tensor<4x6xf32>
  }
  return %0#1 : tensor<4x6xf32>
}
// expect:
// all_reduce tensor<4x6xf32> dense<[[0, 1]]>
// (tensor<3x4x4xbf16>, tensor<4x6xbf16>) -> (tensor<4x6xf32>)
