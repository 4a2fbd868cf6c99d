// test: names
// The update is skipped where it would not be finite, and the gradient is made in one of two ways: both pass through
// branches.
sdy.mesh @mesh = <["data"=4]>
func.func @step(%w: tensor<8x16xf32>, %x: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %y: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %is_finite: tensor<i1>, %way: tensor<i32>) -> tensor<8x16xf32> {
  %guess = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  %error = "stablehlo.case"(%way) ({
    %0 = stablehlo.subtract %guess, %y : tensor<32x16xf32>
    "stablehlo.return"(%0) : (tensor<32x16xf32>) -> ()
  }, {
    %0 = stablehlo.subtract %guess, %y : tensor<32x16xf32>
    %1 = stablehlo.sign %0 : tensor<32x16xf32>
    "stablehlo.return"(%1) : (tensor<32x16xf32>) -> ()
  }) : (tensor<i32>) -> tensor<32x16xf32>
  %gradient = stablehlo.dot_general %x, %error, contracting_dims = [0] x [0] : (tensor<32x8xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %new = "stablehlo.if"(%is_finite) ({
    %0 = stablehlo.subtract %w, %gradient : tensor<8x16xf32>
    "stablehlo.return"(%0) : (tensor<8x16xf32>) -> ()
  }, {
    "stablehlo.return"(%w) : (tensor<8x16xf32>) -> ()
  }) : (tensor<i1>) -> tensor<8x16xf32>
  return %new : tensor<8x16xf32>
}
// expect:
// data parallel over 4
// dp=4, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, data [b -], data [b b], data [], data []
