// test: eval
// A sum over the outer axis inside the inner computation takes what the other outer devices have.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> tensor<4x2xf32> {
  %a = stablehlo.iota dim = 0 : tensor<4x2xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x2xf32>) {
    %2 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<2x1xf32>) {
      %3 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<2x1xf32>) -> tensor<2x1xf32>
      sdy.return %3 : tensor<2x1xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %2 : tensor<2x2xf32>
  } : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// expect: tensor<4x2xf32> [[2, 2], [4, 4], [2, 2], [4, 4]]
