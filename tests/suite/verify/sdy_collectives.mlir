// test: verify
// A collective, applied to the operand's sharding, gives the result's.
sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
sdy.mesh @other = <["a"=4]>
sdy.mesh @same = <["x"=4, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<16x8xf32>, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {"z"}]>}, %arg2: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>}, %arg3: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x", "y"}>}) {
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_gather [{"a"}, {}] %arg1 out_sharding=<@other, [{}, {}]> : tensor<16x8xf32>
  %2 = sdy.all_gather [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"y"}, {}, {}]> : tensor<16x8xf32>
  %3 = sdy.all_gather [{"x"}] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %4 = sdy.all_gather [{"y"}, {}] %arg1 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<16x8xf32>
  %5 = sdy.all_gather [{"x":(1)2}, {}] %arg1 out_sharding=<@mesh, [{"y", "x":(2)2}, {"z"}]> : tensor<16x8xf32>
  %6 = sdy.all_gather [{"x"}, {"x"}] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %7 = sdy.all_gather [{"x"}, {}] %arg1 out_sharding=<@mesh, [{}, {"z"}]> : tensor<16x8xf32>
  %8 = sdy.all_slice [{}, {"q"}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
  %9 = sdy.all_slice [{"x":(1)2, "x":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  %10 = sdy.all_slice [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  %11 = sdy.all_to_all [] %arg1 out_sharding=<@mesh, [{"y", "x"}, {"z"}]> : tensor<16x8xf32>
  %12 = sdy.all_to_all [{"x"}: 0->2] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %13 = sdy.all_to_all [{"x"}: -1->1] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %14 = sdy.all_to_all [{"x"}: 0->0] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %15 = sdy.all_to_all [{"x"}: 0->1] %arg1 out_sharding=<@mesh, [{"y"}, {"x", "z"}]> : tensor<16x8xf32>
  %16 = sdy.collective_permute %arg1 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  %17 = sdy.collective_permute %arg1 out_sharding=<@other, [{"a"}, {}]> : tensor<16x8xf32>
  %18 = sdy.collective_permute %arg1 out_sharding=<@same, [{"x", "y"}, {"z"}]> : tensor<16x8xf32>
  %19 = sdy.all_reduce {"x"} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %20 = sdy.all_reduce {"y"} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %21 = sdy.all_reduce {"z"} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %22 = sdy.all_reduce {"z", "y"} %arg2 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  %23 = sdy.all_reduce {"z"} %arg2 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %24 = sdy.all_reduce {"x"} %arg3 out_sharding=<@mesh, [{}, {}], unreduced=max{"y"}> : tensor<16x8xf32>
  %25 = sdy.all_reduce max {"x"} %arg3 out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<16x8xf32>
  %26 = sdy.all_reduce {} %arg1 out_sharding=<@mesh, [{"y", "x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %27 = sdy.all_reduce max {} %arg3 out_sharding=<@mesh, [{}, {}], unreduced=max{"x", "y", "z"}> : tensor<16x8xf32>
  %28 = sdy.reduce_scatter min [{"x"}, {}] %arg3 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"y"}> : tensor<16x8xf32>
  %29 = sdy.sharded_to_unreduced [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}]> : tensor<16x8xf32>
  %30 = sdy.sharded_to_unreduced [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"y"}, {"z"}], unreduced=max{"x"}> : tensor<16x8xf32>
  %31 = sdy.replicated_to_unreduced {} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %32 = sdy.replicated_to_unreduced {"x"} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %33 = sdy.replicated_to_unreduced {"y"} %arg2 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<16x8xf32>
  %34 = sdy.replicated_to_unreduced {"y"} %arg2 out_sharding=<@mesh, [{}, {}], unreduced={"y", "z"}> : tensor<16x8xf32>
  return
}
// error: op @7: `sdy.all_gather`: the operand has no sharding
// error: op @8: `sdy.all_gather`: the result is on <["a"=4]>, the operand on <["x"=4, "y"=2, "z"=2]>
// error: sharding @9: the sharding has 3 dims, but the tensor has 2
// error: sharding @10: axes are given for 1 dims, but there are 2
// error: sharding @11: the gathering axis "y" does not end the axes of dim 0 of the operand
// error: sharding @12: the gathering axis "x":(1)2 does not end the axes of dim 0 of the operand
// error: sharding @13: axis "x" is used twice in one sharding
// error: sharding @14: dim 0 of the result should be sharded {"y"}, not {}
// error: sharding @15: mesh @mesh has no axis "q"
// error: sharding @16: "x":(1)2 and "x":(2)2 are one sub-axis
// error: sharding @17: dim 0 of the result should be sharded {}, not {"y"}
// error: sharding @18: no axes move
// error: sharding @19: the target dim 2 is out of range for 2 dims
// error: sharding @20: the source dim -1 is out of range for 2 dims
// error: sharding @21: dim 0 is given twice as source or target
// error: sharding @22: dim 1 of the result should be sharded {"z", "x"}, not {"x", "z"}
// error: sharding @23: dim 0 has 8 shards in the operand, 4 in the result
// error: op @24: `sdy.collective_permute`: the result is on <["a"=4]>, the operand on <["x"=4, "y"=2, "z"=2]>
// error: op @25: `sdy.collective_permute`: operand and result name different meshes whose devices stand in the same order
// error: sharding @26: the reduction axis "x" shards a dim of the operand, or the operand is replicated along it
// error: sharding @27: the reduction axis "y" shards a dim of the operand, or the operand is replicated along it
// error: sharding @28: the reduction axis "z" is unreduced in the result
// error: sharding @29: the reduction axes are not in the order of the mesh
// error: sharding @30: the dims of operand and result are sharded differently
// error: op @31: `sdy.all_reduce`: the value stops being unreduced over "x" as a max, but should as a sum
// error: op @32: `sdy.all_reduce`: the value was unreduced as a max and would be as a sum
// error: sharding @33: the dims of operand and result are sharded differently
// error: op @34: `sdy.all_reduce`: the value becomes unreduced over "z", which this op does not do
// error: op @35: `sdy.reduce_scatter`: the value stops being unreduced over "x" as a max, but should as a min
// error: sharding @36: the result should be unreduced over {"x"}, not {}
// error: sharding @37: the result's unreduced axes should be a sum
// error: sharding @38: the list of axes is empty
// error: sharding @39: the operand is not replicated along "x"
// error: sharding @40: the result should be unreduced over {"y", "z"}, not {"z"}
// error: sharding @41: the dims of operand and result are sharded differently
