// test: meaning
// What was started means what it means when it is waited for; a sum that is returned without a wait cannot be written.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<f32>) {
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %0 : tensor<8xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %part = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %g = "stablehlo.async_start"(%part) ({
  ^bb0(%arg0: tensor<f32>):
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  %sum = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  %whole = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %whole, %sum : tensor<8xf32>, tensor<f32>
}
// expect:
// %a [{"x"}]
// %arg0 [{"x"}]
// %0 [{}]
// %f [{}]
// %zero []
// %part [], partial sum over "x"
// %arg0 [], partial sum over "x"
// %l []
// %r []
// %s []
// %0 []
// %g []
// %sum []
// %whole [{}]
