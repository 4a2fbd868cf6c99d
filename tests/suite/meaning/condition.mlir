// test: meaning
// What stands in the condition of a loop runs as often as the condition holds, which must be equally often on all
// devices of a collective.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %id = stablehlo.replica_id : tensor<ui32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<ui32>, tensor<f32>
   cond {
    %sum = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %goes_on = stablehlo.compare LE, %i, %id, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<ui32>
    stablehlo.return %next, %x : tensor<ui32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
// error: device-program @11: D5: `stablehlo.all_reduce`: members that differ along x may run it in another order: what decides whether it runs is not the same for them
