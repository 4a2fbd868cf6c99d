// test: verify
// Types of batch normalization, older products, map and sizes.
func.func @main(%x: tensor<2x2x3xf32>, %f: tensor<2xf32>, %m: tensor<2x3xf32>, %n: tensor<3x4xf32>, %i: tensor<2xi32>) {
  %0 = "stablehlo.batch_norm_inference"(%x, %f, %f, %f, %f) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x3xf32>
  %1:3 = "stablehlo.batch_norm_training"(%x, %f, %f) <{epsilon = 0.0 : f32, feature_index = 3 : i64}> : (tensor<2x2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  %3 = stablehlo.dot %m, %m : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = "stablehlo.map"(%m) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = stablehlo.broadcast %f, sizes = [3] : (tensor<2xf32>) -> tensor<2x3xf32>
  %9 = stablehlo.get_dimension_size %m, dim = 2 : (tensor<2x3xf32>) -> tensor<i64>
  %10 = "chlo.ragged_dot"(%m, %n, %i) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  %11 = chlo.broadcast_add %m, %f : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %12 = "chlo.constant_like"(%m) <{value = 1 : i32}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %13:2 = chlo.scan(%m) inits(%f) dimension=0 {
  ^bb0(%a: tensor<2xf32>, %s: tensor<2xf32>):
    stablehlo.return %s, %a : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  return
}
// error: op @4: `stablehlo.batch_norm_inference`: C2-C6: operand 1 should be tensor<3xf32>, not tensor<2xf32>
// error: op @4: `stablehlo.batch_norm_inference`: C2-C6: operand 2 should be tensor<3xf32>, not tensor<2xf32>
// error: op @4: `stablehlo.batch_norm_inference`: C2-C6: operand 3 should be tensor<3xf32>, not tensor<2xf32>
// error: op @4: `stablehlo.batch_norm_inference`: C2-C6: operand 4 should be tensor<3xf32>, not tensor<2xf32>
// error: op @5: `stablehlo.batch_norm_training`: C1: tensor<2x2x3xf32> has no dim 3
// error: op @6: `stablehlo.dot`: multiplies vectors and matrices that fit, not tensor<2x3xf32> and tensor<2x3xf32>
// error: op @7: `stablehlo.map`: C3: `dimensions` should list all 2 dims in order, not [1, 0]
// error: op @7: `stablehlo.map`: C4: the region should take one scalar of each input's element type
// error: op @7: `stablehlo.map`: C4: the region should return one scalar
// error: op @11: `stablehlo.broadcast`: result 0 should be tensor<3x2xf32>, not tensor<2x3xf32>
// error: op @12: `stablehlo.get_dimension_size`: C1: tensor<2x3xf32> has no dim 2
// error: op @12: `stablehlo.get_dimension_size`: result 0 should be tensor<i32>, not tensor<i64>
// error: op @13: `chlo.ragged_dot`: the right operand has a group dim if and only if the ragged dim is a row dim
// error: op @14: `chlo.broadcast_add`: the operands' shapes do not broadcast
// error: op @15: `chlo.constant_like`: the result tensor<3x2xf32> should have the operand's shape [2, 3]
// error: op @15: `chlo.constant_like`: `1 : i32` is no element of tensor<3x2xf32>
// error: op @16: `chlo.scan`: the region should take a slice of each input, and the carries
// error: op @16: `chlo.scan`: result 0 should be tensor<2x2xf32>, not tensor<3x2xf32>
