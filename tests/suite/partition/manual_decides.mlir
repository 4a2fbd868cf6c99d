// test: partition
// In a manual computation only the author knows that all devices decide alike, as with a sum made of what was sent.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %ten = stablehlo.constant dense<10.0> : tensor<f32>
    %own = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %other = "stablehlo.collective_permute"(%own) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<f32>) -> tensor<f32>
    %sum = stablehlo.add %own, %other : tensor<f32>
    %p = stablehlo.compare GT, %sum, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = "stablehlo.if"(%p) ({
        %s = "stablehlo.all_reduce"(%b) ({
          ^bb0(%p1: tensor<f32>, %q: tensor<f32>):
            %t = stablehlo.add %p1, %q : tensor<f32>
            stablehlo.return %t : tensor<f32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %s : tensor<4xf32>
    }, {
        stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    sdy.return %c : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// expect:
// collective_permute tensor<f32> dense<[[0, 1], [1, 0]]>
// all_reduce tensor<4xf32> dense<[[0, 1]]>
// (tensor<4xf32>) -> (tensor<4xf32>)
