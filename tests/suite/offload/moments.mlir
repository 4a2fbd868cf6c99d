// test: offload kinds=moments
// A moment comes to the device for its update, and what replaces it goes back.
func.func @step(%w: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<6x4xf32>, %t: tensor<6x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %dy = stablehlo.subtract %y, %t : tensor<6x4xf32>
  %g = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %m1 = stablehlo.add %m, %g : tensor<4x4xf32>
  %w1 = stablehlo.subtract %w, %m1 : tensor<4x4xf32>
  return %w1, %m1 : tensor<4x4xf32>, tensor<4x4xf32>
}
// expect:
// module {
//   func.func @step(%arg0: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x4xf32> {mhlo.memory_kind = "pinned_host", tf.aliasing_output = 1 : i32}, %arg2: tensor<6x4xf32>, %arg3: tensor<6x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32> {mhlo.memory_kind = "pinned_host"}) {
//     %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
//     %1 = stablehlo.subtract %0, %arg3 : tensor<6x4xf32>
//     %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
//     %3 = stablehlo.custom_call @annotate_device_placement(%arg1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %4 = stablehlo.add %3, %2 : tensor<4x4xf32>
//     %5 = stablehlo.custom_call @annotate_device_placement(%4) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
//     %6 = stablehlo.subtract %arg0, %4 : tensor<4x4xf32>
//     return %6, %5 : tensor<4x4xf32>, tensor<4x4xf32>
//   }
// }
// 0 results differ
