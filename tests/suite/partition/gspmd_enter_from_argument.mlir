// test: partition
// What enters a manual computation is sharded as the argument that it is, and what leaves one is as manual as what entered.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %1 = call @body(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x4xf32>) -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
  func.func private @body(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.tanh %a : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
// expect: (tensor<4x4xf32>) -> (tensor<4x4xf32>)
