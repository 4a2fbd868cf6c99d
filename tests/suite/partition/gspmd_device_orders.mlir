// test: partition
// A list of devices that follows no axes of the other shardings is a mesh of its own: the argument is sent to where
// the program has it.
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<16x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %b: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1,2]7,3,6,2,5,1,4,0 last_tile_dim_replicate}"}) -> (tensor<16x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) {
    %0 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{devices=[8,1]7,3,6,2,5,1,4,0}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.add %a, %0 : tensor<16x8xf32>
    return %1 : tensor<16x8xf32>
  }
}
// expect:
// warning: argument 1 stands on the devices in another order than on the mesh <["x"=2, "y"=4]>: each shard of 128 B is sent
// collective_permute tensor<4x8xf32> dense<[[0, 6], [1, 4], [2, 2], [3, 0], [4, 7], [5, 5], [6, 3], [7, 1]]>
// all_to_all tensor<8x2xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// (tensor<8x2xf32>, tensor<4x8xf32>) -> (tensor<8x2xf32>)
