// test: eval
// Interior padding comes first, then the edges; negative edges cut off.
func.func @main() -> (tensor<7xi32>, tensor<4xi32>, tensor<2xi32>, tensor<3x2xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %m = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %v = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.pad %x, %v, low = [-5], high = [4], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = stablehlo.pad %m, %v, low = [2, 0], high = [0, 0], interior = [3, 0] : (tensor<1x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  return %0, %1, %2, %3 : tensor<7xi32>, tensor<4xi32>, tensor<2xi32>, tensor<3x2xi32>
}
// expect:
// tensor<7xi32> [9, 1, 9, 2, 9, 3, 9]
// tensor<4xi32> [9, 2, 9, 3]
// tensor<2xi32> [9, 9]
// tensor<3x2xi32> [[9, 9], [9, 9], [1, 2]]
