// test: offload kinds=parameters
// A parameter comes to the device once for each pass that reads it, and what replaces it goes back.
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
//   func.func @step(%arg0: tensor<4x8xf32> {mhlo.memory_kind = "pinned_host", tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32> {mhlo.memory_kind = "pinned_host", tf.aliasing_output = 1 : i32}, %arg2: tensor<6x4xf32>, %arg3: tensor<6x4xf32>) -> (tensor<4x8xf32> {mhlo.memory_kind = "pinned_host"}, tensor<8x4xf32> {mhlo.memory_kind = "pinned_host"}) {
//     %0 = stablehlo.custom_call @annotate_device_placement(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
//     %1 = stablehlo.dot_general %arg2, %0, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
//     %2 = stablehlo.tanh %1 : tensor<6x8xf32>
//     %3 = stablehlo.custom_call @annotate_device_placement(%arg1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
//     %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
//     %5 = stablehlo.subtract %4, %arg3 : tensor<6x4xf32>
//     %6 = stablehlo.dot_general %2, %5, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
//     %7 = stablehlo.custom_call @annotate_device_placement(%arg1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
//     %8 = stablehlo.dot_general %5, %7, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
//     %cst = stablehlo.constant dense<1.000000e+00> : tensor<6x8xf32>
//     %9 = stablehlo.multiply %2, %2 : tensor<6x8xf32>
//     %10 = stablehlo.subtract %cst, %9 : tensor<6x8xf32>
//     %11 = stablehlo.multiply %8, %10 : tensor<6x8xf32>
//     %12 = stablehlo.dot_general %arg2, %11, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
//     %13 = stablehlo.custom_call @annotate_device_placement(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
//     %14 = stablehlo.subtract %13, %12 : tensor<4x8xf32>
//     %15 = stablehlo.custom_call @annotate_device_placement(%14) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
//     %16 = stablehlo.custom_call @annotate_device_placement(%arg1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
//     %17 = stablehlo.subtract %16, %6 : tensor<8x4xf32>
//     %18 = stablehlo.custom_call @annotate_device_placement(%17) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
//     return %15, %18 : tensor<4x8xf32>, tensor<8x4xf32>
//   }
// }
// 0 results differ
