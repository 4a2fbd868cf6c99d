// Every kind of collective in a loop of five trips whose body is a function, and one after it.
module @loop attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>) -> (tensor<1x64xf32> {jax.result_info = "a } in a string"}) {
    %start = stablehlo.constant dense<2> : tensor<i32>
    %limit = stablehlo.constant dense<12> : tensor<i32>
    %0:2 = stablehlo.while(%counter = %start, %value = %arg0) : tensor<i32>, tensor<8x8xf32>
    cond {
      %2 = stablehlo.compare  LT, %counter, %limit,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<2> : tensor<i32>
      %2 = func.call @body(%value) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %3 = stablehlo.add %counter, %step : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<8x8xf32>
    }
    %1 = "stablehlo.all_to_all"(%0#1) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8x8xf32>) -> tensor<1x64xf32>
    return %1 : tensor<1x64xf32>
  }
  func.func private @body(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %3 : tensor<8x8xf32>
  }
}
