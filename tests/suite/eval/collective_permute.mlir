// test: eval devices=4
// A ring of three; the device that nobody sends to gets zeros.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[3, 2], [2, 1], [1, 3]]> : tensor<3x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expect:
// device 0: tensor<f32> 0
// device 1: tensor<f32> 2
// device 2: tensor<f32> 3
// device 3: tensor<f32> 1
