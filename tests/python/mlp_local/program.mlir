// One device's part of examples/mlp_annotated.mlir, partitioned by hand: the batch over `data`, the hidden layer
// over `model`; the second product is partial over `model`, loss and gradients are partial over `data`.
module @mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
  func.func public @main(%bias: tensor<16xf32> {tf.aliasing_output = 0 : i32}, %down: tensor<16x16xf32> {tf.aliasing_output = 1 : i32}, %up: tensor<32x16xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<8x32xf32>, %target: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %count = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
    %hidden = stablehlo.tanh %2 : tensor<8x16xf32>
    %3 = stablehlo.dot_general %hidden, %down, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %error = stablehlo.subtract %4, %target : tensor<8x16xf32>
    %5 = stablehlo.multiply %error, %error : tensor<8x16xf32>
    %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.all_reduce"(%6) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %loss = stablehlo.divide %7, %count : tensor<f32>
    %two = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.divide %two, %count : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %10 = stablehlo.multiply %error, %9 : tensor<8x16xf32>
    %11 = stablehlo.dot_general %hidden, %10, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    %down_gradient = "stablehlo.all_reduce"(%11) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %12 = stablehlo.dot_general %10, %down, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.multiply %hidden, %hidden : tensor<8x16xf32>
    %one = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
    %14 = stablehlo.subtract %one, %13 : tensor<8x16xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<8x16xf32>
    %16 = stablehlo.reduce(%15 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %bias_gradient = "stablehlo.all_reduce"(%16) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16xf32>) -> tensor<16xf32>
    %17 = stablehlo.dot_general %x, %15, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %up_gradient = "stablehlo.all_reduce"(%17) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %bias_rate = stablehlo.constant dense<1.000000e-01> : tensor<16xf32>
    %bias_change = stablehlo.multiply %bias_rate, %bias_gradient : tensor<16xf32>
    %new_bias = stablehlo.subtract %bias, %bias_change : tensor<16xf32>
    %down_rate = stablehlo.constant dense<1.000000e-01> : tensor<16x16xf32>
    %down_change = stablehlo.multiply %down_rate, %down_gradient : tensor<16x16xf32>
    %new_down = stablehlo.subtract %down, %down_change : tensor<16x16xf32>
    %up_rate = stablehlo.constant dense<1.000000e-01> : tensor<32x16xf32>
    %up_change = stablehlo.multiply %up_rate, %up_gradient : tensor<32x16xf32>
    %new_up = stablehlo.subtract %up, %up_change : tensor<32x16xf32>
    return %new_bias, %new_down, %new_up, %loss : tensor<16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
