// test: partition
// Values on one device make no mesh.
func.func @main(%x: tensor<4x4xf32> {mhlo.sharding = "{maximal device=0}"}) -> tensor<4x4xf32> {
  %0 = stablehlo.tanh %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// error: not-global @3: argument 0 carries a GSPMD sharding that is not used: no mesh follows from values that are on one device or each device's own
