// test: optimize pass=bring-late machine=h100:1x8
// Moments are brought when gradients are there: one is on its way while another is worked on.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%w: tensor<256x256xf32>, %v: tensor<256x256xf32>, %m: tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, %n: tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, %x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %dm = stablehlo.custom_call @annotate_device_placement(%m) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a = stablehlo.add %dm, %g : tensor<256x256xf32>
  %nw = stablehlo.subtract %w, %a : tensor<256x256xf32>
  %dn = stablehlo.custom_call @annotate_device_placement(%n) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %b = stablehlo.add %dn, %g : tensor<256x256xf32>
  %nv = stablehlo.subtract %v, %b : tensor<256x256xf32>
  return %nw, %nv : tensor<256x256xf32>, tensor<256x256xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>, %arg2: tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, %arg3: tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, %arg4: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
//     %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
//     %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
//     %2:2 = stablehlo.optimization_barrier %arg2, %1 : tensor<256x256xf32>, tensor<256x256xf32>
//     %3 = stablehlo.custom_call @annotate_device_placement(%2#0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
//     %4 = stablehlo.add %3, %2#1 : tensor<256x256xf32>
//     %5 = stablehlo.subtract %arg0, %4 : tensor<256x256xf32>
//     %6:2 = stablehlo.optimization_barrier %arg3, %2#1 : tensor<256x256xf32>, tensor<256x256xf32>
//     %7 = stablehlo.custom_call @annotate_device_placement(%6#0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
//     %8 = stablehlo.add %7, %6#1 : tensor<256x256xf32>
//     %9 = stablehlo.subtract %arg1, %8 : tensor<256x256xf32>
//     return %5, %9 : tensor<256x256xf32>, tensor<256x256xf32>
//   }
// }
