// test: eval
// Without groups, all replicas are summed.
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<10> : tensor<i32>
  %c = stablehlo.constant dense<100> : tensor<i32>
  %0:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@device], [@device], [@device]]} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}
func.func private @device(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// expect:
// tensor<i32> 111
// tensor<i32> 111
// tensor<i32> 111
