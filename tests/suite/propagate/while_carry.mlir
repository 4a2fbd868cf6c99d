// test: propagate
// What a loop carries is sharded alike where it enters, inside, and where it leaves.
sdy.mesh @mesh = <["x"=2]>
func.func @loop(%a: tensor<8x4xf32>, %w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<8x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %v, %w : tensor<8x4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}
// expect:
// %a [{"x", ?}, {?}]
// %w [{"x"}, {}]
// %0 [{"x", ?}, {?}]
// %2 [{"x", ?}, {?}]
// result 0 [{"x", ?}, {?}]
