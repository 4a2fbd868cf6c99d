// test: roundtrip
// Ops of the chlo dialect.
func.func @main(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %p: tensor<3xi1>) -> tensor<4x3xf32> {
  %0 = chlo.constant {mark} dense<[1, 2]> : tensor<2xi32>
  %1 = "chlo.constant_like"(%a) <{value = 1.0 : f32}> : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = chlo.broadcast_add %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %3 = chlo.broadcast_subtract %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %4 = chlo.broadcast_compare %a, %b {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xi1>
  %5 = chlo.broadcast_select %p, %a, %b : (tensor<3xi1>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %6 = chlo.broadcast_complex %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xcomplex<f32>>
  %7:2 = chlo.scan(%a) inits(%c) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>):
    %r = stablehlo.add %x, %s : tensor<3xf32>
    stablehlo.return %r, %r : tensor<3xf32>, tensor<3xf32>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  %8:2 = chlo.scan() inits(%c) dimension=1 attributes {is_reverse = true, scan_dim_size = 2 : i64} {
  ^bb0(%s: tensor<3xf32>):
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  } : (tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>)
  return %7#0 : tensor<4x3xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xi1>) -> tensor<4x3xf32> {
//     %0 = chlo.constant {mark} dense<[1, 2]> : tensor<2xi32>
//     %1 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4x3xf32>) -> tensor<4x3xf32>
//     %2 = chlo.broadcast_add %arg0, %arg1 : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
//     %3 = chlo.broadcast_subtract %arg0, %arg1 {broadcast_dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
//     %4 = chlo.broadcast_compare %arg0, %arg1 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xi1>
//     %5 = chlo.broadcast_select %arg3, %arg0, %arg1 : (tensor<3xi1>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
//     %6 = chlo.broadcast_complex %arg0, %arg1 : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xcomplex<f32>>
//     %7:2 = chlo.scan(%arg0) inits (%arg2) dimension=0  {
//     ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
//       %9 = stablehlo.add %input, %carry : tensor<3xf32>
//       stablehlo.return %9, %9 : tensor<3xf32>, tensor<3xf32>
//     } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
//     %8:2 = chlo.scan() inits (%arg2) dimension=1  attributes {is_reverse = true, scan_dim_size = 2 : i64} {
//     ^bb0(%carry: tensor<3xf32>):
//       stablehlo.return %carry, %carry : tensor<3xf32>, tensor<3xf32>
//     } : (tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>)
//     return %7#0 : tensor<4x3xf32>
//   }
// }
