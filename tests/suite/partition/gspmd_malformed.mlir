// test: partition
// Shardings that cannot be read: each by its place, and what is wrong with it.
func.func @main(%x: tensor<4x4xf32> {mhlo.sharding = "{devices=[2,x]<=[4]}"}, %y: tensor<4x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={shared}}"}) -> (tensor<4x4xf32> {mhlo.sharding = "{tiled}"}) {
  %0 = stablehlo.add %x, %y {mhlo.sharding = "{replicated shard_as 1}"} : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// error: gspmd-sharding @3: argument 0 of `@main`: `devices=` should be [2,4]<=[8] or [2,2]0,1,2,3, found `[2,x]<=[4]`
// error: gspmd-sharding @3: argument 1 of `@main`: a last tile dim that is `shared` is not known
// error: gspmd-sharding @3: result 0 of `@main`: the sharding `{tiled}` is not known
// error: gspmd-sharding @4: `stablehlo.add`: `shard_as`, which ties values that are to be sharded alike, is not read; Shardy has `sdy.sharding_group`
