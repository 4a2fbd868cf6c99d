// test: eval
// A root is a place in its group.
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@device], [@device]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}
func.func private @device(%x: tensor<i32>) -> tensor<i32> {
  %root = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.collective_reduce"(%x, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>):
    %s = stablehlo.add %l, %r : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<i32>, tensor<1xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// error: evaluation @10: on device 0: the root 2 is in no group of 2 devices
