// test: partition
// GSPMD's lists of devices are two axes: one constraint leaves a dim open, another shards it over both, turned around.
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %w: tensor<16x32xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %v: tensor<32x16xf32> {mhlo.sharding = "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}) -> (tensor<8x16xf32> {mhlo.sharding = "{devices=[8,1]<=[2,4]T(1,0)}"}, tensor<8x32xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.tanh %0 {mhlo.sharding = "{devices=[2,4]<=[8]}"} : tensor<8x32xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,8]<=[2,4]T(1,0)}"} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %3 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
    return %3, %2 : tensor<8x16xf32>, tensor<8x32xf32>
  }
}
// expect:
// reduce_scatter tensor<1x16xf32> dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>
// collective_permute tensor<1x16xf32> dense<[[0, 0], [2, 1], [4, 2], [6, 3], [1, 4], [3, 5], [5, 6], [7, 7]]>
// all_to_all tensor<8x4xf32> dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>
// all_gather tensor<8x32xf32> dense<[[0, 4, 1, 5, 2, 6, 3, 7]]>
// (tensor<4x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> (tensor<1x16xf32>, tensor<8x32xf32>)
