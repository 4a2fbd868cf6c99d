// test: transform pass=gspmd-form
// Tiles over devices become axes of a mesh, and a custom call a constraint.
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) {
    %0 = stablehlo.tanh %a : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
// expect:
// module attributes {mhlo.num_partitions = 8 : i32} {
//   sdy.mesh @mesh = <["x"=2, "y"=4]>
//   func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
//     %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
//     %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
//     return %1 : tensor<8x8xf32>
//   }
// }
