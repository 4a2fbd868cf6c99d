// test: transform pass=inline
// Calls are replaced by what the callee does, and each instruction is known by the calls that lead to it; constraints of
// a named computation stand for its operands and results.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %0 = call @layer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.named_computation<"block">(%1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] (%arg: tensor<8xf32>) {
    %3 = stablehlo.negate %arg : tensor<8xf32>
    sdy.return %3 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = call @double(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["x"=2]>
//   func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
//     %0 = stablehlo.tanh %arg0 : tensor<8xf32>
//     %1 = stablehlo.add %0, %0 : tensor<8xf32>
//     %2 = stablehlo.tanh %1 : tensor<8xf32>
//     %3 = stablehlo.add %2, %2 : tensor<8xf32>
//     %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}]> : tensor<8xf32>
//     %5 = stablehlo.negate %4 : tensor<8xf32>
//     %6 = sdy.sharding_constraint %5 <@mesh, [{}]> : tensor<8xf32>
//     return %6 : tensor<8xf32>
//   }
// }
// stablehlo.tanh: @main func.call > @layer stablehlo.tanh
// stablehlo.add: @main func.call > @layer func.call > @double stablehlo.add
// stablehlo.tanh: @main func.call > @layer stablehlo.tanh
// stablehlo.add: @main func.call > @layer func.call > @double stablehlo.add
// sdy.sharding_constraint: @main sdy.named_computation
// stablehlo.negate: @main stablehlo.negate
// sdy.sharding_constraint: @main sdy.named_computation (1)
// func.return: @main func.return
