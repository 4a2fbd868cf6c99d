// test: eval devices=4
// Two groups of two sum what their members hold; all members get the same.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expect:
// device 0: tensor<f32> 2
// device 1: tensor<f32> 4
// device 2: tensor<f32> 2
// device 3: tensor<f32> 4
