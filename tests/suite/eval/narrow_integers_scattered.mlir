// test: eval
// Sums and products that are scattered wrap, in integers of fewer bits than a byte too.
func.func @main() -> (tensor<1xi4>, tensor<1xui2>) {
  %x = stablehlo.constant dense<7> : tensor<1xi4>
  %y = stablehlo.constant dense<3> : tensor<1xui2>
  %i = stablehlo.constant dense<0> : tensor<1x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = stablehlo.add %a, %b : tensor<i4>
    stablehlo.return %s : tensor<i4>
  }) : (tensor<1xi4>, tensor<1x1xi32>, tensor<1xi4>) -> tensor<1xi4>
  check.expect_eq_const %0, dense<-2> : tensor<1xi4>
  %1 = "stablehlo.scatter"(%y, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui2>, %b: tensor<ui2>):
    %p = stablehlo.multiply %a, %b : tensor<ui2>
    stablehlo.return %p : tensor<ui2>
  }) : (tensor<1xui2>, tensor<1x1xi32>, tensor<1xui2>) -> tensor<1xui2>
  return %0, %1 : tensor<1xi4>, tensor<1xui2>
}
// error: checkfailed @12: `check.expect_eq_const`: at index [0] the value is -2, but -2 is expected; 1 of 1 elements differ
