// test: names
// Nothing is donated: counts to which a scatter adds are state, so that their dim is not the batch.
sdy.mesh @mesh = <["data"=8]>
func.func @step(%w: tensor<8x5xf32>, %counts: tensor<5xi32>, %x: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %y: tensor<32x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %label: tensor<32x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x5xf32>, tensor<5xi32>) {
  %one = stablehlo.constant dense<1> : tensor<32xi32>
  %rate = stablehlo.constant dense<0.1> : tensor<8x5xf32>
  %guess = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x5xf32>) -> tensor<32x5xf32>
  %error = stablehlo.subtract %guess, %y : tensor<32x5xf32>
  %gradient = stablehlo.dot_general %x, %error, contracting_dims = [0] x [0] : (tensor<32x8xf32>, tensor<32x5xf32>) -> tensor<8x5xf32>
  %change = stablehlo.multiply %rate, %gradient : tensor<8x5xf32>
  %new_w = stablehlo.subtract %w, %change : tensor<8x5xf32>
  %new_counts = "stablehlo.scatter"(%counts, %label, %one) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<5xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<5xi32>
  return %new_w, %new_counts : tensor<8x5xf32>, tensor<5xi32>
}
// expect:
// data parallel over 8 (besides tensor parallel)
// dp=8, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, state, data [b -], data [b b], data [- b]
