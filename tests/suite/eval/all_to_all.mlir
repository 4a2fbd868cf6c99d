// test: eval devices=2
// Columns become rows: every device sends half of its columns and receives the others' rows.
func.func @main() -> tensor<2x1xf32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %0 = stablehlo.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x2xf32>
  %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<1x2xf32>) -> tensor<2x1xf32>
  return %3 : tensor<2x1xf32>
}
// expect:
// device 0: tensor<2x1xf32> [[10], [11]]
// device 1: tensor<2x1xf32> [[20], [21]]
