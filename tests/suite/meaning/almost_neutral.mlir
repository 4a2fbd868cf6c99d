// test: meaning
// The least of what one device has and the largest integer of the others is what the one has; a smaller integer in its
// place is not, though both are the same number as floats.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %largest = stablehlo.constant dense<9223372036854775807> : tensor<4xi64>
  %smaller = stablehlo.constant dense<9223372036854775806> : tensor<4xi64>
  %first = stablehlo.constant dense<0> : tensor<ui32>
  %id = stablehlo.replica_id : tensor<ui32>
  %is_first = stablehlo.compare EQ, %id, %first : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %0 = stablehlo.select %is_first, %a, %largest : tensor<i1>, tensor<4xi64>
  %1 = stablehlo.select %is_first, %a, %smaller : tensor<i1>, tensor<4xi64>
  %2 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<i64>, %r: tensor<i64>):
    %s = stablehlo.minimum %l, %r : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  %3 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<i64>, %r: tensor<i64>):
    %s = stablehlo.minimum %l, %r : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %2, %3 : tensor<4xi64>, tensor<4xi64>
}
// expect:
// %a [{}]
// %largest [{}]
// %smaller [{}]
// %first []
// %id [], own along "x"
// %is_first [], own along "x"
// %0 [{}], partial minimum over "x"
// %1 [{}], own along "x"
// %l []
// %r []
// %s []
// %2 [{}]
// %l []
// %r []
// %s []
// %3 [{}]
