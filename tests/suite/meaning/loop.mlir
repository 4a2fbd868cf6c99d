// test: meaning
// A loop that adds up contributions from zero carries a contribution; one that starts from something complete is wrong.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %0:3 = stablehlo.while(%i = %start, %sum = %zeros, %wrong = %c) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %dot = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %more = stablehlo.add %sum, %dot : tensor<4x4xf32>
    stablehlo.return %next, %more, %dot : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  %1 = "stablehlo.all_reduce"(%0#1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %0#2 : tensor<4x4xf32>, tensor<4x4xf32>
}
// error: device-program @9: D6: `stablehlo.while`: carried value 2 is a contribution in one iteration and complete in another
// error: device-program @26: D6: `func.return`: result 1 is returned as complete, but is a contribution over x
