// test: verify
// A manual computation's region is the program of one device along the manual axes, and nothing else.
sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @other = <["a"=4]>
func.func @main(%arg0: tensor<16x6xf32>) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<8x6xf32>) {
    sdy.return %arg1 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %1 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<16x6xf32>) {
    sdy.return %arg1 : tensor<16x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %2 = sdy.manual_computation(%arg0) in_shardings=[<@other, [{}, {"a"}]>] out_shardings=[<@other, [{}, {}]>] manual_axes={"a"} (%arg1: tensor<16x1xf32>) {
    sdy.return %arg1 : tensor<16x1xf32>
  } : (tensor<16x6xf32>) -> tensor<16x1xf32>
  %3 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b", "a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<8x6xf32>) {
    sdy.return %arg1 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %4 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@other, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<8x6xf32>) {
    sdy.return %arg1 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<32x6xf32>
  %5 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "c"} (%arg1: tensor<8x6xf32>) {
    sdy.return %arg1 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %6 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<8x6xf32>) {
    %7 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"a"} (%arg2: tensor<8x6xf32>) {
      sdy.return %arg2 : tensor<8x6xf32>
    } : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{"a"}, {}]> : tensor<8x6xf32>
    %9 = stablehlo.negate %8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : tensor<8x6xf32>
    sdy.return %9 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %10 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%arg1: tensor<16x6xf32>) {
    %11 = stablehlo.add %arg0, %arg1 : tensor<16x6xf32>
    sdy.return %11 : tensor<16x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %12 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%arg1: tensor<16x6xf32>) {
    stablehlo.return %arg1 : tensor<16x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  %13 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%arg1: tensor<16x6xf32>) {
    sdy.return %arg1, %arg1 : tensor<16x6xf32>, tensor<16x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>, out_shardings = #sdy.sharding_per_value<[]>}> : () -> ()
  return
}
// error: sharding @6: 2 shardings are given for 1 operands
// error: op @9: `sdy.manual_computation`: operand 0 is a tensor<8x6xf32> inside, by its type and sharding, not a tensor<16x6xf32>
// error: op @9: `sdy.manual_computation`: result 0 is a tensor<8x6xf32> inside, by its type and sharding, not a tensor<16x6xf32>
// error: op @12: `sdy.manual_computation`: operand 0: a dim of size 6 does not divide into 4 parts along the manual axes
// error: op @15: `sdy.manual_computation`: operand 0: in dim 0, the manual axis "a" stands behind the free axis "b"
// error: op @18: `sdy.manual_computation`: all shardings should be on one mesh, not on <["a"=2, "b"=2]> and <["a"=4]>
// error: op @21: `sdy.manual_computation`: the mesh has no axis "c" to be manual
// error: op @25: `sdy.manual_computation`: axis "a" is manual already, by a manual computation around this one
// error: sharding @28: axis "a" is bound by an `sdy.manual_computation` around this sharding
// error: sharding @29: axis "a" is bound by an `sdy.manual_computation` around this sharding
// error: op @32: `sdy.manual_computation`: the region should use only its arguments and what it computes, nothing from outside
// error: op @36: `sdy.manual_computation`: the region should end with `sdy.return`
// error: op @39: `sdy.manual_computation`: there are 1 results, but 2 in the region
// error: op @42: `sdy.manual_computation`: has 1 regions, not 0
