// test: partition
// A slice at a place known at run time out of a dim that is sharded: the devices add up what each holds of it, which is
// less than the whole dim. Where the slice is sharded too, each gets its shard of the sum.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%cache: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %at: tensor<i32>)
    -> (tensor<3x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %cache, %at, %zero, sizes = [3, 8] : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %1 = stablehlo.dynamic_slice %cache, %at, %zero, sizes = [8, 8] : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<3x8xf32>, tensor<8x8xf32>
}
// expect:
// warning: `stablehlo.dynamic_slice` makes dim 0 of result 0 whole, which is sharded over x: every device gets 256 B
// all_reduce tensor<3x8xf32> dense<[[0, 1, 2, 3]]>
// reduce_scatter tensor<2x8xf32> dense<[[0, 1, 2, 3]]>
// (tensor<8x8xf32>, tensor<i32>) -> (tensor<3x8xf32>, tensor<2x8xf32>)
