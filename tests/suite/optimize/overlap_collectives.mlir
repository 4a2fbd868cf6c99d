// test: optimize pass=overlap-collectives machine=tpu_v5e:2x1x1
// A gather is in flight while the product before it runs; for one that is read at once, a product behind its reader is
// done first; one beside which nothing can stand is waited for where it was. In a loop a gather starts where its operand
// is there.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<32x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<32x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1024x64xf32>, tensor<64x1024xf32>, tensor<1024x1024xf32>, tensor<64x1024xf32>, tensor<2xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<64x1024xf32>) -> tensor<1024x64xf32>
  %3 = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
  %4 = stablehlo.subtract %3, %3 : tensor<64x1024xf32>
  %5 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %7:2 = stablehlo.while(%i = %zero, %x = %b) : tensor<i32>, tensor<32x1024xf32>
   cond {
    %8 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  } do {
    %8 = stablehlo.add %i, %one : tensor<i32>
    %9 = stablehlo.tanh %x : tensor<32x1024xf32>
    %10 = stablehlo.dot_general %9, %a, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x1024xf32>, tensor<1024x1024xf32>) -> tensor<32x1024xf32>
    %20 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %11 = stablehlo.dot_general %20, %20, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %12 = "stablehlo.all_reduce"(%9) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %13 = stablehlo.dot_general %12, %11, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x1024xf32>, tensor<1024x1024xf32>) -> tensor<32x1024xf32>
    %14 = stablehlo.subtract %10, %13 : tensor<32x1024xf32>
    stablehlo.return %8, %14 : tensor<i32>, tensor<32x1024xf32>
  }
  %15 = "stablehlo.all_gather"(%7#1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
  %16 = stablehlo.slice %c [0:1, 0:1] : (tensor<32x1024xf32>) -> tensor<1x1xf32>
  %17 = stablehlo.reshape %16 : (tensor<1x1xf32>) -> tensor<1xf32>
  %18 = "stablehlo.all_gather"(%17) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<2xf32>
  return %2, %4, %5, %15, %18 : tensor<1024x64xf32>, tensor<64x1024xf32>, tensor<1024x1024xf32>, tensor<64x1024xf32>, tensor<2xf32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
//   func.func @main(%arg0: tensor<1024x1024xf32>, %arg1: tensor<32x1024xf32>, %arg2: tensor<32x1024xf32>) -> (tensor<1024x64xf32>, tensor<64x1024xf32>, tensor<1024x1024xf32>, tensor<64x1024xf32>, tensor<2xf32>) {
//     %0 = "stablehlo.async_start"(%arg1) ({
//     ^bb0(%arg3: tensor<32x1024xf32>):
//       %13 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
//       stablehlo.return %13 : tensor<64x1024xf32>
//     }) : (tensor<32x1024xf32>) -> !stablehlo.future<tensor<64x1024xf32>>
//     %1 = "stablehlo.async_start"(%arg2) ({
//     ^bb0(%arg3: tensor<32x1024xf32>):
//       %13 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
//       stablehlo.return %13 : tensor<64x1024xf32>
//     }) : (tensor<32x1024xf32>) -> !stablehlo.future<tensor<64x1024xf32>>
//     %2 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
//     %3 = stablehlo.dot_general %arg0, %2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
//     %4 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<64x1024xf32>>) -> tensor<64x1024xf32>
//     %5 = stablehlo.dot_general %2, %4, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<64x1024xf32>) -> tensor<1024x64xf32>
//     %6 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<64x1024xf32>>) -> tensor<64x1024xf32>
//     %7 = stablehlo.subtract %6, %6 : tensor<64x1024xf32>
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<1> : tensor<i32>
//     %c_1 = stablehlo.constant dense<3> : tensor<i32>
//     %8:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg1) : tensor<i32>, tensor<32x1024xf32>
//     cond {
//       %13 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %13 : tensor<i1>
//     } do {
//       %13 = stablehlo.add %iterArg, %c_0 : tensor<i32>
//       %14 = stablehlo.tanh %iterArg_2 : tensor<32x1024xf32>
//       %15 = "stablehlo.async_start"(%14) ({
//       ^bb0(%arg3: tensor<32x1024xf32>):
//         %22 = "stablehlo.all_reduce"(%arg3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//         ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//           %23 = stablehlo.add %arg4, %arg5 : tensor<f32>
//           stablehlo.return %23 : tensor<f32>
//         }) : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
//         stablehlo.return %22 : tensor<32x1024xf32>
//       }) : (tensor<32x1024xf32>) -> !stablehlo.future<tensor<32x1024xf32>>
//       %16 = stablehlo.dot_general %14, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x1024xf32>, tensor<1024x1024xf32>) -> tensor<32x1024xf32>
//       %17 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
//       %18 = stablehlo.dot_general %17, %17, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
//       %19 = "stablehlo.async_done"(%15) : (!stablehlo.future<tensor<32x1024xf32>>) -> tensor<32x1024xf32>
//       %20 = stablehlo.dot_general %19, %18, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x1024xf32>, tensor<1024x1024xf32>) -> tensor<32x1024xf32>
//       %21 = stablehlo.subtract %16, %20 : tensor<32x1024xf32>
//       stablehlo.return %13, %21 : tensor<i32>, tensor<32x1024xf32>
//     }
//     %9 = "stablehlo.all_gather"(%8#1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x1024xf32>) -> tensor<64x1024xf32>
//     %10 = stablehlo.slice %arg2 [0:1, 0:1] : (tensor<32x1024xf32>) -> tensor<1x1xf32>
//     %11 = stablehlo.reshape %10 : (tensor<1x1xf32>) -> tensor<1xf32>
//     %12 = "stablehlo.all_gather"(%11) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<2xf32>
//     return %5, %7, %3, %9, %12 : tensor<1024x64xf32>, tensor<64x1024xf32>, tensor<1024x1024xf32>, tensor<64x1024xf32>, tensor<2xf32>
//   }
// }
