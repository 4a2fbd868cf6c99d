// test: module shared
// Where calls share their function, its argument is what both agree on: nothing.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.sine %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2, "y"=2]>
//   func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
//     %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
//     %1 = call @f(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
//     return %0, %1 : tensor<8xf32>, tensor<8xf32>
//   }
//   func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
//     %0 = stablehlo.sine %arg0 : tensor<8xf32>
//     return %0 : tensor<8xf32>
//   }
// }
