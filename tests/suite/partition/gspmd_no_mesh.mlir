// test: partition
// Six devices as two by three and as three by two are of no common mesh.
func.func @main(%x: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %y: tensor<6x6xf32> {mhlo.sharding = "{devices=[3,2]<=[6]}"}) -> tensor<6x6xf32> {
  %0 = stablehlo.add %x, %y : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// error: gspmd-sharding: the shardings are of no common mesh: one cuts the devices every 2, another every 3
