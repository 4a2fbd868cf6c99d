// test: offload kinds=activations
// What the backward pass needs goes to the host as soon as it is made; the forward pass reads it where it was made.
func.func @step(%a: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8x4xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<6x4xf32>, %t: tensor<6x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %u = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %h = stablehlo.tanh %u : tensor<6x8xf32>
  %y = stablehlo.dot_general %h, %b, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %dy = stablehlo.subtract %y, %t : tensor<6x4xf32>
  %db = stablehlo.dot_general %h, %dy, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %dh = stablehlo.dot_general %dy, %b, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<6x8xf32>
  %q = stablehlo.multiply %h, %h : tensor<6x8xf32>
  %s = stablehlo.subtract %one, %q : tensor<6x8xf32>
  %du = stablehlo.multiply %dh, %s : tensor<6x8xf32>
  %da = stablehlo.dot_general %x, %du, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a1 = stablehlo.subtract %a, %da : tensor<4x8xf32>
  %b1 = stablehlo.subtract %b, %db : tensor<8x4xf32>
  return %a1, %b1 : tensor<4x8xf32>, tensor<8x4xf32>
}
// expect:
// module {
//   func.func @step(%arg0: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<6x4xf32>, %arg3: tensor<6x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
//     %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
//     %1 = stablehlo.tanh %0 : tensor<6x8xf32>
//     %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
//     %3 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
//     %4 = stablehlo.subtract %3, %arg3 : tensor<6x4xf32>
//     %5 = stablehlo.custom_call @annotate_device_placement(%2) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
//     %6 = stablehlo.dot_general %5, %4, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
//     %7 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
//     %cst = stablehlo.constant dense<1.000000e+00> : tensor<6x8xf32>
//     %8 = stablehlo.multiply %5, %5 : tensor<6x8xf32>
//     %9 = stablehlo.subtract %cst, %8 : tensor<6x8xf32>
//     %10 = stablehlo.multiply %7, %9 : tensor<6x8xf32>
//     %11 = stablehlo.dot_general %arg2, %10, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
//     %12 = stablehlo.subtract %arg0, %11 : tensor<4x8xf32>
//     %13 = stablehlo.subtract %arg1, %6 : tensor<8x4xf32>
//     return %12, %13 : tensor<4x8xf32>, tensor<8x4xf32>
//   }
// }
// 0 results differ
