// test: optimize pass=defer-reductions
// A sum of scalars is sorted: what is summed over the same devices is added up first and takes one sum, whatever stands
// between. What is there already is added at the end.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
                %c: tensor<7xf32>, %d: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.add %zero, %1 : tensor<f32>
  %3 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %5 = stablehlo.add %2, %4 : tensor<f32>
  %6 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  %7 = stablehlo.add %5, %6 : tensor<f32>
  %8 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %9 = "stablehlo.all_reduce"(%8) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %10 = stablehlo.add %7, %9 : tensor<f32>
  %11 = stablehlo.sqrt %10 : tensor<f32>
  return %11 : tensor<f32>
}
// expect:
// module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<7xf32>, %arg3: tensor<4x8xf32>) -> tensor<f32> {
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
//     %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
//     %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %11 : tensor<f32>
//     }) : (tensor<f32>) -> tensor<f32>
//     %3 = stablehlo.add %cst, %2 : tensor<f32>
//     %4 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
//     %5 = stablehlo.add %3, %4 : tensor<f32>
//     %6 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
//     %7 = stablehlo.add %0, %6 : tensor<f32>
//     %8 = "stablehlo.all_reduce"(%7) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
//     ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
//       %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
//       stablehlo.return %11 : tensor<f32>
//     }) : (tensor<f32>) -> tensor<f32>
//     %9 = stablehlo.add %5, %8 : tensor<f32>
//     %10 = stablehlo.sqrt %9 : tensor<f32>
//     return %10 : tensor<f32>
//   }
// }
