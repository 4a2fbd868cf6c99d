// test: normal
// Equal instructions become one, also within reach of a region; what has other attributes, effects, or is a collective, does not.
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %a, %b : tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  %3 = stablehlo.tanh %0 : tensor<4xf32>
  %4 = stablehlo.tanh %1 {mhlo.frontend_attributes = {fast = "1"}} : tensor<4xf32>
  %5 = "stablehlo.if"(%p) ({
    %6 = stablehlo.add %a, %b : tensor<4xf32>
    %7 = stablehlo.tanh %6 : tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }, {
    %6 = stablehlo.sine %0 : tensor<4xf32>
    %7 = stablehlo.sine %1 : tensor<4xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<4xf32>
    stablehlo.return %8 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<4> : tensor<1xi64>
  %9 = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %10 = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %11 = stablehlo.subtract %9, %10 : tensor<4xf32>
  %12 = stablehlo.custom_call @hook(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %13 = stablehlo.custom_call @hook(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %14 = stablehlo.subtract %12, %13 : tensor<4xf32>
  %15 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %16 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %17 = stablehlo.subtract %15, %16 : tensor<4xf32>
  %18 = stablehlo.subtract %3, %4 : tensor<4xf32>
  return %2, %5, %11, %14, %17, %18 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
//     %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
//     %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
//     %2 = stablehlo.tanh %0 : tensor<4xf32>
//     %3 = stablehlo.tanh %0 {mhlo.frontend_attributes = {fast = "1"}} : tensor<4xf32>
//     %4 = "stablehlo.if"(%arg2) ({
//       stablehlo.return %2 : tensor<4xf32>
//     }, {
//       %15 = stablehlo.sine %0 : tensor<4xf32>
//       %16 = stablehlo.multiply %15, %15 : tensor<4xf32>
//       stablehlo.return %16 : tensor<4xf32>
//     }) : (tensor<i1>) -> tensor<4xf32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//     %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
//     %c = stablehlo.constant dense<4> : tensor<1xi64>
//     %5 = stablehlo.rng %cst, %cst_0, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
//     %6 = stablehlo.rng %cst, %cst_0, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
//     %7 = stablehlo.subtract %5, %6 : tensor<4xf32>
//     %8 = stablehlo.custom_call @hook(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
//     %9 = stablehlo.custom_call @hook(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
//     %10 = stablehlo.subtract %8, %9 : tensor<4xf32>
//     %11 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
//     %12 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
//     %13 = stablehlo.subtract %11, %12 : tensor<4xf32>
//     %14 = stablehlo.subtract %2, %3 : tensor<4xf32>
//     return %1, %4, %7, %10, %13, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
//   }
// }
