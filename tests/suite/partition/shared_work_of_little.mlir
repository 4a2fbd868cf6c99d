// test: partition
// Work that takes no longer than another collective over the network is not shared by an axis longer than a host: each device
// of "model" sums the whole gradient over "data".
sdy.mesh @mesh = <["data"=2, "model"=16]>
func.func @main(%x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %g: tensor<512x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %other: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<64x128xf32>, tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x128xf32>) -> tensor<64x128xf32>
  return %0, %other : tensor<64x128xf32>, tensor<4xf32>
}
// expect:
// all_reduce tensor<64x128xf32> dense<[[0, 16], [1, 17], [2, 18], [3, 19], [4, 20], [5, 21], [6, 22], [7, 23], [8, 24], [9, 25], [10, 26], [11, 27], [12, 28], [13, 29], [14, 30], [15, 31]]>
// all_gather tensor<16xf32> dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]>
// (tensor<256x64xf32>, tensor<256x128xf32>, tensor<1xf32>) -> (tensor<64x128xf32>, tensor<1xf32>)
