// test: roundtrip
// Meshes stand where they stood among the functions. Device ids in order are left out; the generic form of a mesh and
// a mesh written out in full are the same mesh.
#wide = #sdy.mesh<["data"=4, "model"=2]>
sdy.mesh @none = <[]>
sdy.mesh @one = <[], device_ids=[3]>
func.func private @first(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@late, [{"rows"}, {}]>}) -> tensor<8x4xf32> {
  return %arg0 : tensor<8x4xf32>
}
sdy.mesh @late = <["rows"=2]> {note = "between"}
sdy.mesh @permuted = <["a"=2, "b"=2], device_ids=[3, 1, 2, 0]>
sdy.mesh @in_order = <["a"=2, "b"=2], device_ids=[0, 1, 2, 3]>
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2], device_ids=[1, 0]>, sym_name = "generic"}> {note} : () -> ()
sdy.mesh @"quoted name" = #wide
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{"x"}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@"quoted name", [{"data"}, {"model"}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}, {}]>}) {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<mesh#wide, [{}, {?}]>]>} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
sdy.mesh @last = <["size one"=1, "\22"=3]>
// expect:
// module {
//   sdy.mesh @none = <[]>
//   sdy.mesh @one = <[], device_ids=[3]>
//   func.func private @first(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@late, [{"rows"}, {}]>}) -> tensor<8x4xf32> {
//     return %arg0 : tensor<8x4xf32>
//   }
//   sdy.mesh @late = <["rows"=2]> {note = "between"}
//   sdy.mesh @permuted = <["a"=2, "b"=2], device_ids=[3, 1, 2, 0]>
//   sdy.mesh @in_order = <["a"=2, "b"=2]>
//   sdy.mesh @generic = <["a"=2], device_ids=[1, 0]> {note}
//   sdy.mesh @"quoted name" = <["data"=4, "model"=2]>
//   func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{"x"}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@"quoted name", [{"data"}, {"model"}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}, {}]>}) {
//     %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["data"=4, "model"=2]>, [{}, {?}]>]>} : tensor<8x4xf32>
//     return %0 : tensor<8x4xf32>
//   }
//   sdy.mesh @last = <["size one"=1, "\22"=3]>
// }
