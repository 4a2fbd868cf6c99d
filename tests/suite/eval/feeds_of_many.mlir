// test: eval
// An infeed takes from as many functions as it has values, or all from one that returns several.
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %0:2 = "interpreter.run_parallel"() {infeed = [@one, @two, @both], programs = [[@device]]} : () -> (tensor<i32>, tensor<i32>)
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}
func.func private @one() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @two() -> tensor<i32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @both() -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<10> : tensor<i32>
  %1 = stablehlo.constant dense<20> : tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
func.func private @device() -> (tensor<i32>, tensor<i32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %0:3 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token)
  %1:3 = "stablehlo.infeed"(%0#2) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token)
  %2 = stablehlo.add %0#0, %1#0 : tensor<i32>
  %3 = stablehlo.add %0#1, %1#1 : tensor<i32>
  return %2, %3 : tensor<i32>, tensor<i32>
}
// expect:
// tensor<i32> 11
// tensor<i32> 22
