// test: eval
// A program that runs alone has nobody to exchange with.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// error: evaluation @6: `stablehlo.collective_permute` needs other devices, but this program runs alone; run it on the embedded devices instead
