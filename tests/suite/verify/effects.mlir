// test: verify
// Types of tokens, tuples, transfers, collectives, futures, composites and parallel runs.
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @main(%a: tensor<2xf32>, %t: !stablehlo.token) {
  %1 = "stablehlo.after_all"(%a) : (tensor<2xf32>) -> !stablehlo.token
  %2 = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<2xf32>, !stablehlo.token>
  %3 = stablehlo.get_tuple_element %2[2] : (tuple<tensor<2xf32>, !stablehlo.token>) -> !stablehlo.token
  %4 = "stablehlo.infeed"(%t) <{layout = [[0]]}> : (!stablehlo.token) -> tensor<2xf32>
  %5 = "stablehlo.outfeed"(%t, %a) : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
  %6 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %7 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>}> : (!stablehlo.token) -> tensor<2xf32>
  %8 = "stablehlo.collective_broadcast"(%a) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %9 = "stablehlo.collective_broadcast"(%a, %a) <{has_dynamic_root, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %11 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<1xf32>):
    %r = stablehlo.abs %x : tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %12 = "stablehlo.async_done"(%11) : (!stablehlo.future<tensor<2xf32>>) -> tensor<1xf32>
  %13 = stablehlo.composite "f" %a {decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  %14 = stablehlo.composite "a.f" %a {decomposition = @f} : (tensor<2xf32>) -> tensor<3xf32>
  %15 = stablehlo.composite "a.f" %a {decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  %16 = "interpreter.run_parallel"(%a) <{programs = [[@f], [@f]]}> : (tensor<2xf32>) -> tensor<2xf32>
  %17 = "interpreter.run_parallel"(%a) <{programs = [[@f], [@f, @f]]}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @recursive(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "a.f" %a {decomposition = @recursive} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// error: op @7: `stablehlo.after_all`: I1: takes tokens only
// error: op @8: `stablehlo.tuple`: result 0 should be tuple<tensor<2xf32>>, not tuple<tensor<2xf32>, !stablehlo.token>
// error: op @9: `stablehlo.get_tuple_element`: C1: tuple<tensor<2xf32>, !stablehlo.token> has no member 2
// error: op @10: `stablehlo.infeed`: C1-C3: the results should be tensors and a token behind them
// error: op @10: `stablehlo.infeed`: `layout` has 1 entries for 0 tensors
// error: op @11: `stablehlo.outfeed`: I1-I2: takes tensors and a token behind them
// error: op @12: `stablehlo.send`: C5: the channel's type should be DEVICE_TO_HOST (2), not 1
// error: op @13: `stablehlo.recv`: C5: the channel's type should be DEVICE_TO_DEVICE (1), not 2
// error: op @13: `stablehlo.recv`: C2-C4: the results should be tensors and a token behind them
// error: op @14: `stablehlo.collective_broadcast`: C3-C4: there is nothing to send
// error: op @15: `stablehlo.collective_broadcast`: a device is in `replica_groups` twice
// error: op @15: `stablehlo.collective_broadcast`: C4: the last operand should be tensor<1xi32>, not tensor<2xf32>
// error: op @16: `stablehlo.async_start`: C2: starts a collective or a slice, not `stablehlo.abs`
// error: op @16: `stablehlo.async_start`: C3: the region's arguments are not of the operands' types
// error: op @16: `stablehlo.async_start`: result 0 should be !stablehlo.future<tensor<1xf32>>, not !stablehlo.future<tensor<2xf32>>
// error: op @21: `stablehlo.async_done`: result 0 should be tensor<2xf32>, not tensor<1xf32>
// error: op @22: `stablehlo.composite`: C1: the name should be like `dialect.op`, not `f`
// error: op @23: `stablehlo.composite`: C4: the results are not of the types that `@f` returns
// error: op @24: `stablehlo.composite`: C2: there is no function `@g`
// error: op @25: `interpreter.run_parallel`: the operands are not of the types that the programs take, 2 in all
// error: op @25: `interpreter.run_parallel`: the results are not of the types that the programs return, 2 in all
// error: op @26: `interpreter.run_parallel`: the rows of `programs` differ in length
// error: structure @30: calls to `@recursive` recurse
