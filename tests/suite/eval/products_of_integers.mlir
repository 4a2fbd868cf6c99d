// test: eval
// Integers with a sign and without one, multiplied into wider ones and into floats.
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<f32>) {
  %a = stablehlo.constant dense<[200, 100, 255]> : tensor<3xui8>
  %b = stablehlo.constant dense<[-100, 1, 2]> : tensor<3xi8>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<3xui8>, tensor<3xui8>) -> tensor<i32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xui8>, tensor<3xi8>) -> tensor<i32>
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<3xui8>, tensor<3xui8>) -> tensor<f32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<f32>
}
// expect:
// tensor<i32> 115025
// tensor<i32> -19390
// tensor<f32> 115025
