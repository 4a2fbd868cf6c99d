// test: meaning
// A sum that has been waited for is complete: it cannot be added up again; contributions cannot be gathered.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %part = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %f = "stablehlo.async_start"(%part) ({
  ^bb0(%arg0: tensor<f32>):
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  %sum = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  %twice = "stablehlo.all_reduce"(%sum) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %row = stablehlo.reshape %part : (tensor<f32>) -> tensor<1xf32>
  %g = "stablehlo.async_start"(%row) ({
  ^bb0(%arg0: tensor<1xf32>):
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<1xf32>) -> !stablehlo.future<tensor<2xf32>>
  %both = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %twice, %both : tensor<f32>, tensor<2xf32>
}
// error: device-program @17: D6: `stablehlo.all_reduce`: what is complete over x is added up over it
// error: device-program @25: D6: `stablehlo.all_gather`: contributions over x are put side by side
