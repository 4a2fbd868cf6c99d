// test: partition
// All shardings of a module are over the same devices, those of `mhlo.num_partitions`.
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<8x12xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %arg1: tensor<12x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.tanh %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
}
// error: gspmd-sharding @4: argument 0 of `@main`: its sharding is over 4 devices, but `mhlo.num_partitions` is 8
