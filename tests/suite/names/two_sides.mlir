// test: names
// Queries and documents are contracted with one another, each over the other's batch: neither is a sequence.
sdy.mesh @mesh = <["data"=4]>
func.func @step(%w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %q: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %d: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %a = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %b = stablehlo.dot_general %d, %v, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %scores = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x16xf32>
  %ds = stablehlo.tanh %scores : tensor<16x16xf32>
  %da = stablehlo.dot_general %ds, %b, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %db = stablehlo.dot_general %ds, %a, contracting_dims = [0] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %dw = stablehlo.dot_general %q, %da, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %dv = stablehlo.dot_general %d, %db, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %new_w = stablehlo.subtract %w, %dw : tensor<8x8xf32>
  %new_v = stablehlo.subtract %v, %dv : tensor<8x8xf32>
  return %new_w, %new_v : tensor<8x8xf32>, tensor<8x8xf32>
}
// expect:
// data parallel over 4
// dp=4, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, data [b -], data [b -]
