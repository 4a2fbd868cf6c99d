// test: eval devices=2
// A check inside a loop survives on every device.
module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main() {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.while(%i = %c) : tensor<i32>
    cond {
      %limit = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      check.expect_eq_const %i, dense<0> : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    return
  }
}
// error: checkfailed @14: on device 0: `check.expect_eq_const`: at index [] the value is 1, but 0 is expected; 1 of 1 elements differ
