// test: eval
// Branches by an index (the last if out of range) and by a predicate; sorting; slices that are moved inside.
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xi32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %0 = "stablehlo.case"(%one) ({
    stablehlo.return %nine : tensor<i32>
  }, {
    %r = stablehlo.add %one, %nine : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }, {
    stablehlo.return %one : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %minus = stablehlo.negate %one : tensor<i32>
  %1 = "stablehlo.case"(%minus) ({
    stablehlo.return %nine : tensor<i32>
  }, {
    stablehlo.return %minus : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %one : tensor<i32>
  }, {
    stablehlo.return %nine : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %x = stablehlo.constant dense<[[3, 1, 2], [1, 4, 0]]> : tensor<2x3xi32>
  %3 = "stablehlo.sort"(%x) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %k = stablehlo.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
  %i = stablehlo.iota dim = 0 : tensor<3xi32>
  %4:2 = "stablehlo.sort"(%k, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %r = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>)
  %y = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %5 = stablehlo.dynamic_slice %y, %nine, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %z = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %6 = stablehlo.dynamic_update_slice %y, %z, %minus : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %values, %indices = chlo.top_k(%k, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1, %2, %3, %4#0, %4#1, %5, %6, %values, %indices : tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xi32>
}
// expect:
// tensor<i32> 10
// tensor<i32> -1
// tensor<i32> 9
// tensor<2x3xi32> [[1, 2, 3], [0, 1, 4]]
// tensor<3xf32> [2, 1, 1]
// tensor<3xi32> [1, 0, 2]
// tensor<2xi32> [3, 4]
// tensor<4xi32> [8, 9, 3, 4]
// tensor<2xf32> [2, 1]
// tensor<2xi32> [1, 0]
