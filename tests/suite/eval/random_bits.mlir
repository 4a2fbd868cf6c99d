// test: eval
// Random bits are those of XLA: the specification's example, and the paper's vector for a key and counter of zeros.
func.func @main() -> (tensor<2xui64>, tensor<2x2xui64>, tensor<3xui64>, tensor<4xui32>) {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  %zeros = stablehlo.constant dense<0> : tensor<3xui64>
  %2, %3 = stablehlo.rng_bit_generator %zeros, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %0, %1, %2, %3 : tensor<2xui64>, tensor<2x2xui64>, tensor<3xui64>, tensor<4xui32>
}
// expect:
// tensor<2xui64> [1, 6]
// tensor<2x2xui64> [[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]
// tensor<3xui64> [0, 1, 0]
// tensor<4xui32> [1713891541, 3781805453, 3159862348, 2600524760]
