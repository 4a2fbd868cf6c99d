// test: eval devices=2
// Every device keeps its part of the sum.
func.func @main() -> tensor<1x2xf32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x2xf32>
  %3 = "stablehlo.reduce_scatter"(%2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %4 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}
// expect:
// device 0: tensor<1x2xf32> [[3, 5]]
// device 1: tensor<1x2xf32> [[7, 9]]
