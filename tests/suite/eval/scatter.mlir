// test: eval
// Updates outside the table are skipped, one by one where a window hangs over the edge; the last of several wins.
func.func @main() -> (tensor<4x2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi32>, tensor<i32>) {
  %t = stablehlo.constant dense<1> : tensor<4x2xi32>
  %i = stablehlo.constant dense<[[2], [-1], [2], [4]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4x2xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  %s = stablehlo.constant dense<0> : tensor<4xi32>
  %j = stablehlo.constant dense<[[-1], [3]]> : tensor<2x1xi32>
  %v = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = "stablehlo.scatter"(%s, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<4xi32>
  %k = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
  %w = stablehlo.constant dense<[5, 7, 9]> : tensor<3xi32>
  %2 = "stablehlo.scatter"(%s, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.subtract %b, %a : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %m = stablehlo.constant dense<0> : tensor<2x3xi32>
  %l = stablehlo.constant dense<[[[2], [0]], [[1], [5]]]> : tensor<2x2x1xi32>
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %3 = "stablehlo.scatter"(%m, %l, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  %n = stablehlo.constant dense<40> : tensor<i32>
  %o = stablehlo.constant dense<> : tensor<2x0xi32>
  %p = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %4 = "stablehlo.scatter"(%n, %o, %p) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>, tensor<2x0xi32>, tensor<2xi32>) -> tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<4x2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi32>, tensor<i32>
}
// expect:
// tensor<4x2xi32> [[1, 1], [1, 1], [7, 9], [1, 1]]
// tensor<4xi32> [2, 3, 0, 4]
// tensor<4xi32> [9, 2, 0, 0]
// tensor<2x3xi32> [[2, 0, 1], [0, 3, 0]]
// tensor<i32> 43
