module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @main(%arg0: tensor<4x1xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x4xf32>, %arg2: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<5.000000e-02> : tensor<4x1xf32>
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %1 = stablehlo.subtract %0, %arg2 : tensor<4x1xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<4x1xf32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.dot_general %arg1, %1, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %5 = stablehlo.multiply %cst_0, %4 : tensor<4x1xf32>
    %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<4x1xf32>
    %8 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    return %7, %8 : tensor<4x1xf32>, tensor<f32>
  }
}
