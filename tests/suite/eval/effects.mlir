// test: eval
// Tokens, futures, composites and probes.
func.func private @double(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() -> (tensor<1xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %t = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xi32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    stablehlo.return %r : tensor<1xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<1xi32>>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<1xi32>>) -> tensor<1xi32>
  %1 = stablehlo.composite "my.double" %a {decomposition = @double} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = interpreter.probe %a, probe_id = "p" : tensor<2xi32>
  %3 = interpreter.probe %1, probe_id = "p" : tensor<2xi32>
  check.expect_serialized_eq %a, probe_id = "p" : tensor<2xi32>
  check.expect_serialized_eq %1, probe_id = "p", iter = 1 : tensor<2xi32>
  %4 = "chlo.constant_like"(%a) <{value = 7 : i32}> : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %1, %4 : tensor<1xi32>, tensor<2xi32>, tensor<2xi32>
}
// expect:
// tensor<1xi32> [4]
// tensor<2xi32> [6, 8]
// tensor<2xi32> [7, 7]
