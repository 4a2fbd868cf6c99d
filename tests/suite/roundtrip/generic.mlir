// test: roundtrip generic
// The generic form spells every attribute by the name that the specification gives it.
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.pad %0, %arg1, low = [0, 0], high = [1, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %3 = stablehlo.iota dim = 0 : tensor<2xi32>
  %4 = stablehlo.reduce_precision %2, format = e8m7 : tensor<5x5xf32>
  %5 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %6 = stablehlo.compare GE, %arg1, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %6 : tensor<i1>
}
// expect:
// "builtin.module"() ({
//   "func.func"() <{function_type = (tensor<4x6xf32>, tensor<f32>) -> tensor<i1>, sym_name = "main"}> ({
//   ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>):
//     %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<4x3xf32>
//     %1 = "stablehlo.pad"(%0, %arg1) <{edge_padding_high = array<i64: 1, 0>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x3xf32>, tensor<f32>) -> tensor<5x5xf32>
//     %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
//     %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
//     %4 = "stablehlo.reduce_precision"(%2) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
//     %5 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
//     %6 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
//     "func.return"(%6) : (tensor<i1>) -> ()
//   }) : () -> ()
// }) : () -> ()
