// test: eval
// Each row is divided by its largest magnitude over 448, rounded to eight bits, and its scale put back behind the product.
func.func @main() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %w = stablehlo.constant dense<[[7.0, 0.0, 0.0], [0.5, -0.25, 0.125]]> : tensor<2x3xf32>
  %y = "meshwright.scaled_dot"(%x, %w) {elements = ["f8E4M3FN", "f8E4M3FN"], lhs_contracting = array<i64: 1>, rhs_contracting = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// expect: tensor<2x2xf32> [[7, 0.5], [0, 0]]
