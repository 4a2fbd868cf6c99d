// test: optimize pass=bring-late machine=h100:1x8
// What waits in a turn of a loop comes when what its reader reads beside it is there; what lies on the host from the start
// comes as it stands.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%w: tensor<256x256xf32>, %x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<256x256xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %q = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %s = stablehlo.custom_call @annotate_device_placement(%q) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %u = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %v = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %d = stablehlo.custom_call @annotate_device_placement(%s) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device", meshwright_late = "true"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %next = stablehlo.add %d, %v : tensor<256x256xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<256x256xf32>
  }
  return %0#1 : tensor<256x256xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
//   func.func @main(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>) -> tensor<256x256xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1) : tensor<i32>, tensor<256x256xf32>
//     cond {
//       %c_1 = stablehlo.constant dense<4> : tensor<i32>
//       %1 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %1 : tensor<i1>
//     } do {
//       %c_1 = stablehlo.constant dense<1> : tensor<i32>
//       %1 = stablehlo.dot_general %iterArg_0, %arg0, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
//       %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
//       %3 = stablehlo.dot_general %1, %arg0, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
//       %4 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
//       %5:2 = stablehlo.optimization_barrier %2, %4 : tensor<256x256xf32>, tensor<256x256xf32>
//       %6 = stablehlo.custom_call @annotate_device_placement(%5#0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device", meshwright_late = "true"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
//       %7 = stablehlo.add %6, %5#1 : tensor<256x256xf32>
//       %8 = stablehlo.add %iterArg, %c_1 : tensor<i32>
//       stablehlo.return %8, %7 : tensor<i32>, tensor<256x256xf32>
//     }
//     return %0#1 : tensor<256x256xf32>
//   }
// }
