// test: eval devices=3
// Each device is alone in a loop of its own and waits there for the next one: nobody can go on.
func.func @main() -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %ka = stablehlo.constant dense<0> : tensor<ui32>
  %la:2 = stablehlo.while(%i = %id, %y = %x) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare EQ, %i, %ka : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.constant dense<9> : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  %kb = stablehlo.constant dense<1> : tensor<ui32>
  %lb:2 = stablehlo.while(%i = %id, %y = %la#1) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare EQ, %i, %kb : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[1, 2]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.constant dense<9> : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  %kc = stablehlo.constant dense<2> : tensor<ui32>
  %lc:2 = stablehlo.while(%i = %id, %y = %lb#1) : tensor<ui32>, tensor<f32>
   cond {
    %1 = stablehlo.compare EQ, %i, %kc : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[2, 0]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.constant dense<9> : tensor<ui32>
    stablehlo.return %2, %1 : tensor<ui32>, tensor<f32>
  }
  return %lc#1 : tensor<f32>
}
// error: deadlock @12: the devices wait for each other forever: device 0 waits at `stablehlo.collective_permute` for device 1, which waits at `stablehlo.collective_permute`; device 1 waits at `stablehlo.collective_permute` for device 2, which waits at `stablehlo.collective_permute`; device 2 waits at `stablehlo.collective_permute` for device 0, which waits at `stablehlo.collective_permute`
