// test: names
// The weight is replaced by its master copy, rounded; a frozen weight is replaced by nothing.
sdy.mesh @mesh = <["data"=4]>
func.func @step(%w: tensor<8x16xbf16>, %frozen: tensor<8x8xbf16>, %master: tensor<8x16xf32>, %x: tensor<32x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x16xbf16>, tensor<8x16xf32>) {
  %h = stablehlo.dot_general %x, %frozen, contracting_dims = [1] x [0] : (tensor<32x8xbf16>, tensor<8x8xbf16>) -> tensor<32x8xbf16>
  %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<32x8xbf16>, tensor<8x16xbf16>) -> tensor<32x16xbf16>
  %g = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<32x8xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %wide = stablehlo.convert %g : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %new = stablehlo.subtract %master, %wide : tensor<8x16xf32>
  %rounded = stablehlo.convert %new : (tensor<8x16xf32>) -> tensor<8x16xbf16>
  return %rounded, %new : tensor<8x16xbf16>, tensor<8x16xf32>
}
// expect:
// data parallel over 4
// dp=4, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0
// parameter, parameter, moment of 0, data [b -]
