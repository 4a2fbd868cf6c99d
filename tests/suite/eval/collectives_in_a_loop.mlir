// test: eval devices=4
// Groups that do not wait for each other may run a different number of turns.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %pair = stablehlo.divide %id, %two : tensor<ui32>
  %turns = stablehlo.add %pair, %one : tensor<ui32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %x) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare LT, %i, %turns : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_reduce"(%sum) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.add %i, %one : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
// expect:
// device 0: tensor<f32> 1
// device 1: tensor<f32> 1
// device 2: tensor<f32> 10
// device 3: tensor<f32> 10
