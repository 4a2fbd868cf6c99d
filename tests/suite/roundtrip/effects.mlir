// test: roundtrip
// Tokens, tuples, transfers, collectives, futures, composites.
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @main(%a: tensor<2xf32>, %t: !stablehlo.token, %root: tensor<1xi32>) -> tensor<2xf32> {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %t : !stablehlo.token
  %2 = stablehlo.tuple %a, %1 {mark} : tuple<tensor<2xf32>, !stablehlo.token>
  %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<2xf32>, !stablehlo.token>) -> !stablehlo.token
  %4:2 = "stablehlo.infeed"(%3) <{infeed_config = "c", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %5 = "stablehlo.outfeed"(%4#0, %4#1) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %6 = "stablehlo.send"(%a, %5) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %7:2 = "stablehlo.recv"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %8 = "stablehlo.collective_broadcast"(%7#0, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %9 = "stablehlo.collective_reduce"(%8) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %10 = "stablehlo.cross-replica-sum"(%9) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %11 = "stablehlo.async_start"(%10) ({
  ^bb0(%x: tensor<2xf32>):
    %r = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  %12 = "stablehlo.async_done"(%11) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>
  %13 = stablehlo.composite "chlo.f" %10 {composite_attributes = {k = 1 : i32}, decomposition = @f, version = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %13 : tensor<2xf32>
}
// expect:
// module {
//   func.func private @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
//     return %arg0 : tensor<2xf32>
//   }
//   func.func @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token, %arg2: tensor<1xi32>) -> tensor<2xf32> {
//     %0 = stablehlo.create_token : !stablehlo.token
//     %1 = stablehlo.after_all %0, %arg1 : !stablehlo.token
//     %2 = stablehlo.tuple %arg0, %1 {mark} : tuple<tensor<2xf32>, !stablehlo.token>
//     %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<2xf32>, !stablehlo.token>) -> !stablehlo.token
//     %4:2 = "stablehlo.infeed"(%3) <{infeed_config = "c", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
//     %5 = "stablehlo.outfeed"(%4#0, %4#1) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
//     %6 = "stablehlo.send"(%arg0, %5) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
//     %7:2 = "stablehlo.recv"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
//     %8 = "stablehlo.collective_broadcast"(%7#0, %arg2) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
//     %9 = "stablehlo.collective_reduce"(%8) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//     ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
//       %14 = stablehlo.add %arg3, %arg4 : tensor<f32>
//       stablehlo.return %14 : tensor<f32>
//     }) : (tensor<2xf32>) -> tensor<2xf32>
//     %10 = "stablehlo.cross-replica-sum"(%9) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
//     %11 = "stablehlo.async_start"(%10) ({
//     ^bb0(%arg3: tensor<2xf32>):
//       %14 = stablehlo.slice %arg3 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
//       stablehlo.return %14 : tensor<1xf32>
//     }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
//     %12 = "stablehlo.async_done"(%11) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>
//     %13 = stablehlo.composite "chlo.f" %10 {composite_attributes = {k = 1 : i32}, decomposition = @f, version = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
//     return %13 : tensor<2xf32>
//   }
// }
